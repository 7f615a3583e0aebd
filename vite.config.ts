import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type EnvironmentOptions } from 'vite';
import { asciiOnly } from './scripts/build/ascii.ts';
import { leanContract } from './scripts/build/lean-contract.ts';
import { missingScriptsAreErrors } from './scripts/build/missing-scripts.ts';

/** Files of `src/web`, by their addresses without the ending. */
const webFiles = (...files: readonly string[]): RegExp =>
  new RegExp(`[\\\\/]src[\\\\/]web[\\\\/](${files.join('|').replaceAll('/', '[\\\\/]')})\\.tsx?$`);

/**
 * What pages share, in a few files instead of thirty; a group holds what its modules import as well. The libraries
 * change rarely; every page has the frame; pages with shelves have cards and what books them. Anything else comes with
 * its page.
 */
/** Files of the contract that are shorter by themselves than the headers of an answer. */
const SHORT = /[\\/]src[\\/]contract[\\/]([a-z]+[\\/])?(count|selling-terms|shares)\.ts$/;
/** What the contract says of copies in words. */
const COPY_WORDS =
  /[\\/]src[\\/]contract[\\/](catalog[\\/](photo-[a-z]+|passport[\\/](grades|passport-words|defects))|delivery[\\/](delivery-words|countries)|law[\\/]withdrawal)\.ts$/;
const frameFiles = webFiles(
  'shell/[a-z]+/(header|footer|error-page|load|offline-notice|page-arrival|page-boundary|page-meta|head-script|use-session)',
  'ui/(toast/toast|modal|states)',
);
const groups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie)[\\/]/, priority: 3 },
  {
    name: 'frame',
    test: new RegExp(`${frameFiles.source}|${SHORT.source}`),
    priority: 2,
  },
  {
    name: 'shelf',
    test: webFiles(
      'storefront/[a-z]+/(listing-grid|booking-modal|category-links|structured-data|use-shelf|book-param)',
      // What a search says of editions, too.
      'storefront/edition/(addresses|copies-text)',
    ),
    priority: 1,
  },
  // Small files of the pages of books, editions and authors, and what they say of copies.
  {
    name: 'edition-parts',
    test: new RegExp(
      `${webFiles('storefront/edition/(author-links|edition-data|further-on|sort-links)', 'ui/verified-mark').source}|${COPY_WORDS.source}`,
    ),
  },
  { name: 'form', test: webFiles('shell/forms/use-form', 'ui/(field|or|arrow-icon)'), priority: 1 },
  // Pages that ask who somebody is share these small files: one name in the list of scripts that every page loads.
  { name: 'sign-in', test: webFiles('shell/social/[a-z-]+', 'shell/sign-in/(credentials|password-field)') },
  // The same of small files that pages share which tell of people, of notices, of what a copy is, of a paused shelf.
  {
    name: 'people',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/](sellers[\\\\/]sellers|orders[\\\\/]reviews|contacts)\\.ts$|${webFiles('shell/reviews/[a-z-]+').source}`,
    ),
  },
  {
    name: 'notices',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/]notices[\\\\/][a-z]+\\.ts$|${webFiles('account/mail/topic-choices', 'shell/dashboard/unread-notices').source}`,
    ),
  },
  {
    name: 'messages',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/]messages[\\\\/][a-z]+\\.ts$|${webFiles('shell/messages/news', 'messages/thread-words').source}`,
    ),
  },
  { name: 'writing', test: webFiles('shell/messages/conversation', 'shell/photos/[a-z-]+') },
  {
    name: 'copy-facts',
    test: /[\\/]src[\\/]contract[\\/]catalog[\\/]([a-z]+[\\/])?(binding|languages|search-choices)\.ts$/,
  },
  {
    name: 'pausing',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/]catalog[\\\\/]pausing\\.ts$|${webFiles('selling/(pausing/away-words|locked)').source}`,
    ),
  },
  {
    name: 'mail-links',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/]users[\\\\/]mail-links\\.ts$|${webFiles('account/sign-in/(link-token|account-frame)').source}`,
    ),
  },
  {
    name: 'users',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/](admin[\\\\/](reports|suspending|reason|person)|law[\\\\/]identity)\\.ts$|${webFiles('admin/users/(use-users|users-search|users-page|suspending)').source}`,
    ),
  },
  {
    name: 'order-words',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/]bookings[\\\\/](promise|bookings|waitlist)\\.ts$|${webFiles('shell/data/(deadline-text|order-line)').source}`,
    ),
  },
  {
    name: 'listing',
    test: /[\\/]src[\\/]contract[\\/]catalog[\\/](listing-rules|price-help)\.ts$|[\\/]src[\\/]web[\\/]selling[\\/]money-figures\.tsx$/,
  },
  // Forms of how books are delivered, and of sums.
  {
    name: 'delivery-forms',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/]money[\\\\/]decimal-text\\.ts$|${webFiles('selling/delivery/(buyer-sees|use-live-form|delivery-form)').source}`,
    ),
  },
  {
    name: 'stock',
    test: new RegExp(
      `[\\\\/]src[\\\\/]contract[\\\\/]stock[\\\\/][a-z-]+\\.ts$|${webFiles('selling/stock/(stock-tabs|stock-words|earlier-files|use-stock-file|copies/(stock-query|copy-columns|sold-elsewhere))').source}`,
    ),
  },
  {
    name: 'dashboard',
    test: webFiles(
      'shell/data/(guard|use-more|list-address|seller-link|carried-toast)',
      'shell/forms/(confirmed|reasoned)',
      'api/call-file',
      'ui/table/[a-z-]+',
      'shell/qr/qr-code',
      'ui/(list-end|page-heading|download-button|save-file|use-kept-focus)',
    ),
  },
];

/**
 * The server's pages with the libraries of which they take a part: of the schema library alone 370 files would be read
 * a second time. Vite's own server leaves all where they are.
 */
const packed: EnvironmentOptions = {
  resolve: { noExternal: true, external: ['react', 'react-dom', 'react-router'] },
  build: { rolldownOptions: { output: { comments: false } } },
};

export default defineConfig(({ command }) => ({
  publicDir: 'src/web/public',
  // Every asset is a file of its own: the pages' policy has no place for data: fonts or scripts.
  build: { assetsInlineLimit: 0 },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    ...(command === 'build' && { ssr: packed }),
  },
  // Named, because Vite's first look at the sources finds it too late and would reload the first page.
  optimizeDeps: { include: ['typebox'] },
  plugins: [leanContract, missingScriptsAreErrors(), asciiOnly(), tailwindcss(), reactRouter()],
}));
