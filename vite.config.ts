import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { leanContract } from './scripts/build/lean-contract.ts';

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
const frameFiles = webFiles(
  'shell/[a-z]+/(header|footer|error-page|load|offline-notice|page-arrival|page-meta|head-script|use-session)',
  'ui/(toast|modal|states)',
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
    ),
    priority: 1,
  },
  { name: 'form', test: webFiles('shell/forms/use-form', 'ui/field'), priority: 1 },
  {
    name: 'dashboard',
    test: webFiles('shell/data/(guard|use-more|use-refresh-on-focus)', 'ui/(table|list-end|page-heading)'),
  },
];

/**
 * What the router does when the script of a page does not arrive: it reloads the document, and offline there is none.
 */
const RELOADS = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/;

/** A page that fails in the script's stead, so that its error is one like any other. */
const FAILS = `const fail = () => { throw Object.assign(error, { name: 'RouteModuleError' }); };
return { clientLoader: fail, default: fail };`;

/**
 * Makes a script that does not arrive an error for the error page to show (shell/layout/error-page.tsx): whoever is
 * offline stays in the shop. The router has no setting for it; a release of it that reads otherwise fails the build.
 */
const missingScriptsAreErrors: Plugin = {
  name: 'missing-scripts-are-errors',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!id.endsWith('/react-router/dist/production/lib/dom/ssr/routeModules.js')) return undefined;
    return { code: code.replace(/console\.error\([^;]*\);/g, '').replace(RELOADS, FAILS), map: null };
  },
  generateBundle(_options, bundle) {
    const isDone = Object.values(bundle).some(
      (file) => file.type === 'chunk' && /\{clientLoader:\w+,default:\w+\}/.test(file.code),
    );
    if (!isDone) this.error('React Router loads the scripts of pages in another way than before: look again.');
  },
};

export default defineConfig({
  publicDir: 'src/web/public',
  // Every asset is a file of its own: the pages' policy has no place for data: fonts or scripts.
  build: { assetsInlineLimit: 0 },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // Named, because Vite's first look at the sources finds it too late and would reload the first page.
  optimizeDeps: { include: ['typebox'] },
  plugins: [leanContract, missingScriptsAreErrors, tailwindcss(), reactRouter()],
});
