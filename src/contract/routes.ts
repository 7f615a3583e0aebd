/**
 * The pages that are about whoever looks at them, by the first part of their path: rendered for nobody in particular,
 * and cached by nobody. `robots` says whether search engines may look at them.
 */
const PRIVATE_PAGES: Readonly<Record<string, { readonly robots: boolean }>> = {
  dashboard: { robots: false },
  categories: { robots: false },
  user_type: { robots: false },
  report: { robots: false },
  login: { robots: true },
  register: { robots: true },
  'forgot-password': { robots: true },
  'reset-password': { robots: true },
  confirm: { robots: true },
  unsubscribe: { robots: false },
};

const PRIVATE = new RegExp(`^/(${Object.keys(PRIVATE_PAGES).join('|')})(/|$)`);

/** Where search engines find nothing: the API, stand-ins, and pages that are about whoever looks at them. */
export const CLOSED_TO_ROBOTS: readonly string[] = [
  '/api/',
  '/standins/',
  ...Object.entries(PRIVATE_PAGES).flatMap(([page, { robots }]) => (robots ? [] : [`/${page}`])),
];

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

const LISTING_FORM = /^\/dashboard\/(add_product|edit_product\/[^/]+)\/?$/;

/**
 * Whether the page at `pathname` is the form of a listing: its document alone may use the camera and decode barcodes.
 * What a document may do is said when it is loaded, so links to it load it anew.
 */
export const isListingForm = (pathname: string): boolean => LISTING_FORM.test(pageOf(pathname));

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
