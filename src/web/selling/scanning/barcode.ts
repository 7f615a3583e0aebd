import { readIsbn } from '#contract/catalog/isbn.ts';

/** What a barcode on a book says: its number, or why that is none. */
export type Barcode = { readonly isbn13: string; readonly addOnCents?: number } | { readonly problem: string };

const NO_BOOK =
  'This barcode is no book’s number: older paperbacks have theirs inside the front cover. Scan that, or type it.';
const BEGINNINGS = /^97[789]/;

/**
 * Reads what a decoder found: 13 digits, or 18 with the price beside them. The codes of shops, as old mass-market
 * paperbacks have them outside, are no ISBN.
 */
export const readBarcode = (text: string): Barcode => {
  if (!BEGINNINGS.test(text)) return { problem: NO_BOOK };
  return readIsbn(text) ?? { problem: NO_BOOK };
};

/** How soon a code has to be seen again to be believed. */
const AGAIN_MS = 1_000;

/**
 * Believes a code that was seen twice within a second: one look may be wrong by a digit that fits. The price beside it
 * is taken from whichever look had it. `look` answers the code with its price as soon as it is believed.
 */
export const createTwice = () => {
  const seen = new Map<string, { at: number; longest: string }>();
  return {
    look: (texts: readonly string[], now: number): string | undefined => {
      const codes = new Map<string, string>();
      for (const text of texts) {
        const code = text.slice(0, 13);
        if (text.length > (codes.get(code)?.length ?? 0)) codes.set(code, text);
      }
      let believed: string | undefined;
      for (const [code, text] of codes) {
        const before = seen.get(code);
        const longest = before !== undefined && before.longest.length > text.length ? before.longest : text;
        if (before !== undefined && now - before.at <= AGAIN_MS) believed ??= longest;
        seen.set(code, { at: now, longest });
      }
      return believed;
    },
  };
};
