/**
 * The pages that are about whoever looks at them, by the first part of their path: rendered for nobody in particular,
 * and kept by nobody.
 */
const PRIVATE_PAGES = [
  'dashboard',
  'login',
  'register',
  'forgot-password',
  'reset-password',
  'confirm',
  'user_type',
  'categories',
] as const;

const PRIVATE = new RegExp(`^/(${PRIVATE_PAGES.join('|')})(/|$)`);

const decoded = (pathname: string): string => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
};

/**
 * The path of the page that `pathname` is about; the router's data requests end in `.data`. Written as the router reads
 * it, which minds neither capitals nor percent signs: /%4Cogin is the page /login.
 */
export const pageOf = (pathname: string): string =>
  decoded(pathname)
    .replace(/\.data$/i, '')
    .toLowerCase();

/** Whether the page at `pathname` is marked no-store. */
export const isPrivatePage = (pathname: string): boolean => PRIVATE.test(pageOf(pathname));

/**
 * The path of a request's target as whoever resolves addresses reads it; undefined where that is another page than it
 * is written as: dot segments, a backslash, a `#`. No browser sends such a target, and what is decided by the one must
 * not be rendered as the other.
 */
export const plainPathOf = (target: string): string | undefined => {
  const path = target.split('?', 1)[0] ?? '';
  const read = URL.canParse(`http://shop${target}`) ? new URL(`http://shop${target}`).pathname : undefined;
  return read !== undefined && decoded(read) === decoded(path) ? read : undefined;
};
