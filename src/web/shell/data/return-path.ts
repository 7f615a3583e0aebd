/** Where someone goes when the address they came from is none of the shop's. */
const HOME = '/';

/** Longest address worth remembering; the shop's own are far shorter. */
const MAX_LENGTH = 2_000;

/** Encoding may be nested; anything that is still not plain after this many rounds was made to deceive. */
const MAX_DECODINGS = 5;

/** Any origin does for resolving a path; this one can never be a real host (RFC 2606). */
const SOME_ORIGIN = 'https://shop.invalid';

/** Pages that lead to signing in; returning to them would go in circles. */
const SIGN_IN_PAGES = new Set([
  '/login',
  '/login/done',
  '/register',
  '/user_type',
  '/forgot-password',
  '/reset-password',
  '/confirm',
]);

// Browsers drop tabs and line breaks from addresses before reading them, so `/<tab>/host` is `//host`.
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0020\u007f]/;

const decodedFully = (path: string): string | undefined => {
  let text = path;
  for (let round = 0; round < MAX_DECODINGS; round += 1) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      return undefined;
    }
    if (decoded === text) return text;
    text = decoded;
  }
  return undefined;
};

const isOwnPath = (path: string): boolean =>
  path.startsWith('/') && !path.startsWith('//') && !path.includes('\\') && !unprintable.test(path);

/**
 * The path to go to after signing in, from the `from` of the address bar: a path of this site with its query and hash,
 * or `/` for everything else. Whoever sends a link to the sign-in page chooses `from`, so other hosts, in whatever
 * spelling a browser might follow (`//host`, `/\host`, encoded, with line breaks or dots), are refused.
 */
export const returnPath = (from: string | null | undefined): string => {
  if (from === null || from === undefined || from.length > MAX_LENGTH || !isOwnPath(from)) return HOME;
  if (!URL.canParse(from, SOME_ORIGIN)) return HOME;
  const url = new URL(from, SOME_ORIGIN);
  if (url.origin !== SOME_ORIGIN) return HOME;
  const decoded = decodedFully(url.pathname);
  // Spaces are harmless once encoded; everything else that is unsafe plain is unsafe encoded.
  if (decoded === undefined || !isOwnPath(decoded.replaceAll(' ', ''))) return HOME;
  if (SIGN_IN_PAGES.has(url.pathname.replace(/\/$/, ''))) return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
};

/** The query of a link to the sign-in page that brings people back to `path`; empty for the home page. */
export const fromQuery = (path: string): string => {
  const target = returnPath(path);
  return target === HOME ? '' : `?from=${encodeURIComponent(target)}`;
};

/** Where selling begins; the way there leads by the registration and the choice of a type, for whoever needs them. */
export const SELLING_PATH = '/dashboard/add_product';

/** Whether a path leads there, whatever it begins with. */
export const leadsToSelling = (path: string): boolean => path.split('?', 1)[0] === SELLING_PATH;

/** The query key of an ISBN that selling begins with. */
export const ISBN_TO_SELL = 'isbn';

/** The query key that says which copy is being booked, so that signing in can lead back to it. */
export const BOOK = 'book';

/** Whether `path` is a page with the booking dialog of a copy open. */
export const leadsToBooking = (path: string): boolean => new URL(returnPath(path), SOME_ORIGIN).searchParams.has(BOOK);
