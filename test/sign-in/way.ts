import type { Provider, SocialOutcome } from '#contract/users/social.ts';
import { SOCIAL_RETURN_PATH } from '#contract/users/social.ts';
import type { Config } from '#server/platform/config.ts';

/** The page where a way to a service and back ended, as its address tells it. */
export interface Ending {
  readonly url: URL;
  readonly outcome: SocialOutcome;
}

/** A browser that keeps cookies and is led about by hand, so that a test can interfere at every step. */
export interface TestBrowser {
  /** The Cookie header it would send to the shop. */
  cookie(): string;
  /** What its cookie `name` holds, its prefix left out. */
  cookieNamed(name: string): string | undefined;
  setCookie(name: string, value: string): void;
  get(url: string | URL): Promise<Response>;
  post(url: string | URL, form: Record<string, string>): Promise<Response>;
  /** Presses the button: answers the address at the service it is led to, or where it ends at once. */
  start(provider: Provider, query?: Record<string, string>): Promise<URL>;
  /** Chooses on the stand-in's page: answers the address of the callback it is led back to. */
  choose(page: URL, choice: Record<string, string>): Promise<URL>;
  /** Goes to the callback. */
  finish(callback: URL): Promise<Ending>;
  /** All of it. */
  signIn(provider: Provider, choice: Record<string, string>, query?: Record<string, string>): Promise<Ending>;
}

/** A test account of the stand-in that is typed in. */
export const typed = (email: string, more: Record<string, string> = {}): Record<string, string> => ({
  do: 'typed',
  email,
  name: 'Ada Marlowe',
  verified: 'yes',
  ...more,
});

const locationOf = (answer: Response): URL => {
  const location = answer.headers.get('location');
  if (answer.status !== 303 || location === null) throw new Error(`not led on: ${answer.status}`);
  return new URL(location);
};

/** Where an address is the end of the way; fails on any other. */
export const endingOf = (url: URL): Ending => {
  if (url.pathname !== SOCIAL_RETURN_PATH) throw new Error(`not the end: ${url.href}`);
  return { url, outcome: url.searchParams.get('outcome') as SocialOutcome };
};

/** A browser for the shop `t`, which listens at `base`; the shop's public address leads there. */
export const aBrowser = (t: { readonly config: Pick<Config, 'https' | 'publicUrl'> }, base: string): TestBrowser => {
  const jar = new Map<string, string>();
  const cookie = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  const ask = async (url: URL, init: RequestInit): Promise<Response> => {
    const isShop = url.origin === t.config.publicUrl;
    const target = isShop ? new URL(`${url.pathname}${url.search}`, base) : url;
    const headers = { ...(isShop && jar.size > 0 && { cookie: cookie() }) };
    const answer = await fetch(target, { ...init, headers, redirect: 'manual' });
    for (const line of isShop ? answer.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0\b/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const at = (url: string | URL): URL => new URL(url, t.config.publicUrl);
  const get = (url: string | URL): Promise<Response> => ask(at(url), {});
  const post = (url: string | URL, form: Record<string, string>): Promise<Response> =>
    ask(at(url), { method: 'POST', body: new URLSearchParams(form) });

  const browser: TestBrowser = {
    cookie,
    cookieNamed: (name) => jar.get(name) ?? jar.get(`__Host-${name}`),
    setCookie: (name, value) => void jar.set(t.config.https ? `__Host-${name}` : name, value),
    get,
    post,
    start: async (provider, query = {}) =>
      locationOf(await get(`/api/auth/${provider}?${new URLSearchParams(query).toString()}`)),
    choose: async (page, choice) => {
      const shown = await get(page);
      const html = await shown.text();
      if (shown.status !== 200) throw new Error(`the service refuses: ${html}`);
      const hidden = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
      const form = Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value]));
      return locationOf(await post(new URL('decide', page), { ...form, ...choice }));
    },
    finish: async (callback) => endingOf(locationOf(await get(callback))),
    signIn: async (provider, choice, query) => {
      const page = await browser.start(provider, query);
      if (page.pathname === SOCIAL_RETURN_PATH) return endingOf(page);
      return browser.finish(await browser.choose(page, choice));
    },
  };
  return browser;
};
