import { NO_IMPRINT } from '#contract/law/declaration.ts';
import type { Imprint } from '#contract/law/imprint.ts';

/** What the sellers of the demo shop say of themselves, by their addresses; the others say nothing. */
export const DEMO_ABOUT: Readonly<Record<string, string>> = {
  'seller@example.com':
    'A small shop with a big back room. Three generations of readers have left their books with us, and we go through every page before we list one.\n\nCome by on Saturdays, or have it posted.',
  'hannah.weiss@example.com': 'I moved to a smaller flat. Mostly novels, read once, kept out of the sun.',
  'priya.raman@example.com': 'Textbooks of two degrees, and what I read to forget them.',
  'oddfellow.lane@example.com':
    'History, maps and travel since 1987. Older books are described by a bookseller of thirty years; ask about anything.',
  'jun.takeda@example.com': 'Comics, manga and Japanese literature, in both languages.',
};

/** The businesses among them, by their addresses; the others sell privately. */
export const DEMO_IMPRINTS: Readonly<Record<string, Imprint>> = {
  'seller@example.com': {
    ...NO_IMPRINT,
    business: 'Marlow Books LLC',
    address: 'PO Box 417\nPortland, OR 97207',
    country: 'US',
    email: 'shop@marlow-books.example',
    register: 'Oregon Secretary of State 204117-95',
  },
  'oddfellow.lane@example.com': {
    ...NO_IMPRINT,
    business: 'Oddfellow Lane Antiquarian Books',
    address: '3 Oddfellow Lane\nHay-on-Wye HR3 5DG',
    country: 'GB',
    email: 'desk@oddfellow-lane.example',
    phone: '+44 1632 960 114',
    register: 'Companies House 00417733',
    taxNumber: 'GB 417 7330 21',
  },
};
/** Has not said yet as what they sell. */
export const DEMO_UNDECLARED: ReadonlySet<string> = new Set(['tomas.ibarra@example.com']);
/** Who sold so much that the shop asked who they are, and what it looked at; undefined where it waits for that. */
export const DEMO_IDENTITIES: Readonly<Record<string, { readonly seen: string | undefined }>> = {
  'oddfellow.lane@example.com': { seen: 'Register entry and passport seen' },
  'jun.takeda@example.com': { seen: undefined },
};
