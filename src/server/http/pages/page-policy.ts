import { createHash, randomBytes } from 'node:crypto';
import { pageOf } from '#contract/routes.ts';

const PAYMENT = /^\/dashboard\/payment(\/|$)/;

/** Whether the page at `pathname` takes card payments. */
export const isPaymentPage = (pathname: string): boolean => PAYMENT.test(pageOf(pathname));

/** Where browsers send what a policy stopped. */
export const REPORTS_PATH = '/api/csp-reports';

/** A fresh 128-bit nonce. */
export const createNonce = (): string => randomBytes(16).toString('base64url');

type Directives = Record<string, readonly string[]>;

const written = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');

/**
 * Pictures come from the shop itself, so that no other server learns who looks at them; `data:` are the ornaments in
 * its own style sheets.
 */
const PICTURES = ["'self'", 'data:'] as const;

const base = (script: readonly string[], style: readonly string[]): Directives => ({
  'default-src': ["'none'"],
  'script-src': script,
  'style-src': ["'self'", ...style],
  'img-src': PICTURES,
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['default'],
  'report-to': ['csp'],
});

/**
 * The policy of a page that a cache may keep: its inline scripts by hash. No 'strict-dynamic', which beside hashes
 * would block the page's own chunks.
 */
export const cacheablePolicy = (hashes: readonly string[]): string =>
  written(base(["'self'", ...hashes.map((hash) => `'${hash}'`)], []));

const STRIPE: Directives = {
  'connect-src': ["'self'", 'https://api.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  'img-src': [...PICTURES, 'https://*.stripe.com'],
};

/** The pictures of a draft, which nobody but its seller may see and which come with the access token. */
const SCANNING: Directives = { 'img-src': [...PICTURES, 'blob:'] };

/**
 * The policy of a no-store page: its scripts, and what they load, by `nonce`. `stripe`: the payment page of a shop that
 * uses Stripe itself. `scanning`: the form of a listing, where the decoder of barcodes is WebAssembly.
 */
export const noncePolicy = (nonce: string, page?: 'stripe' | 'scanning'): string => {
  const own = `'nonce-${nonce}'`;
  if (page === 'scanning')
    return written({ ...base([own, "'strict-dynamic'", "'wasm-unsafe-eval'"], [own]), ...SCANNING });
  const stripe = page === 'stripe';
  const script = [own, "'strict-dynamic'", ...(stripe ? ['https://js.stripe.com'] : [])];
  return written({ ...base(script, [own]), ...(stripe ? STRIPE : {}) });
};

/**
 * The policy while developing: Vite's client needs inline scripts, styles and its socket. Never used outside `npm run
 * dev`.
 */
export const devPolicy = (): string =>
  written({
    'default-src': ["'self'"],
    'script-src': ["'self'", "'unsafe-inline'", "'wasm-unsafe-eval'", 'https://js.stripe.com'],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': [...PICTURES, 'blob:', 'https://*.stripe.com'],
    'connect-src': ["'self'", 'ws:', 'https://api.stripe.com'],
    'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
  });

export interface SealedPage {
  readonly html: Buffer;
  /** `sha256-…` of each inline script that carried the nonce. */
  readonly hashes: readonly string[];
}

const SCRIPT_START = '<script';
/** What follows the start of a tag that is longer, as in `<scripts>`. */
const IN_A_NAME = /[\w-]/;

/** The script tags of a page: each from its first byte to that after its `>`. */
const scriptTags = function* (html: Buffer): Generator<readonly [from: number, until: number]> {
  for (let from = html.indexOf(SCRIPT_START); from !== -1; from = html.indexOf(SCRIPT_START, from + 1)) {
    const until = html.indexOf('>', from) + 1;
    if (until === 0) return;
    if (!IN_A_NAME.test(String.fromCharCode(html[from + SCRIPT_START.length] ?? 0))) yield [from, until];
  }
};

const without = (html: Buffer, mark: string): Buffer => {
  const parts: Buffer[] = [];
  let done = 0;
  for (let at = html.indexOf(mark); at !== -1; at = html.indexOf(mark, done)) {
    parts.push(html.subarray(done, at));
    done = at + mark.length;
  }
  return Buffer.concat([...parts, html.subarray(done)]);
};

/**
 * Makes a rendered page cacheable: hashes its inline scripts and takes the nonce out, so that everybody gets the same
 * bytes. Only scripts that carry this rendering's nonce are hashed: one that somebody smuggled into the markup could
 * not know it, gets no hash and does not run.
 */
export const sealPage = (html: Buffer, nonce: string): SealedPage => {
  const mark = ` nonce="${nonce}"`;
  const hashes = new Set<string>();
  for (const [start, from] of scriptTags(html)) {
    const tag = html.toString('latin1', start, from);
    const until = html.indexOf('</script>', from);
    if (until === -1 || !tag.includes(mark) || tag.includes(' src=')) continue;
    hashes.add(`sha256-${createHash('sha256').update(html.subarray(from, until)).digest('base64')}`);
  }
  return { html: without(html, mark), hashes: [...hashes] };
};

/** Where users come back to from a service, in the window they were sent there with (contract/social.ts). */
const RETURN = /^\/login\/done(\/|$)/;

/**
 * A page of the shop keeps the windows it opens. The one such a window comes back to must not begin a group of its own,
 * which `same-origin-allow-popups` would after a service without a policy: it could no longer tell its opener.
 */
export const openerPolicyOf = (pathname: string): string =>
  RETURN.test(pageOf(pathname)) ? 'unsafe-none' : 'same-origin-allow-popups';

/** The headers of every page beside those of every answer, whatever its policy. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'reporting-endpoints': `csp="${REPORTS_PATH}"`,
};
