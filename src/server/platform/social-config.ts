/** A shop's registration with Google, or with whoever speaks OpenID Connect as Google does. */
export interface GoogleConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Everything else is discovered there. */
  readonly issuer: string;
}

/** A shop's registration with Github, or with a Github Enterprise Server. */
export interface GithubConfig {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where people sign in; the service calls itself by this address followed by /login/oauth. */
  readonly url: string;
  readonly apiUrl: string;
}

/** The services people can sign in with; absent where the shop is not registered. */
export interface SocialConfig {
  readonly google: GoogleConfig | undefined;
  readonly github: GithubConfig | undefined;
}

type Read = (name: string) => string | undefined;

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

const addressOf = (read: Read, name: string, fallback: string, isDemo: boolean, problems: string[]): string => {
  const text = read(name);
  if (text === undefined) return fallback;
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (isDemo && url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url !== null && isSafe && url.search === '' && url.hash === '') return text;
  problems.push(`${name} is "${text}", but must be an https address.`);
  return fallback;
};

const withoutSlash = (address: string): string => address.replace(/\/$/, '');

const credentialsOf = (
  read: Read,
  service: 'GOOGLE' | 'GITHUB',
  problems: string[],
): { clientId: string; clientSecret: string } | undefined => {
  const [clientId, clientSecret] = [read(`${service}_CLIENT_ID`), read(`${service}_CLIENT_SECRET`)];
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  if (clientId !== undefined || clientSecret !== undefined) {
    problems.push(`Both ${service}_CLIENT_ID and ${service}_CLIENT_SECRET are needed, or neither.`);
  }
  return undefined;
};

/** Reads the registrations with Google and Github; `problems` gets a sentence for whatever is wrong with them. */
export const readSocial = (read: Read, isDemo: boolean, problems: string[]): SocialConfig => {
  const google = credentialsOf(read, 'GOOGLE', problems);
  const github = credentialsOf(read, 'GITHUB', problems);
  const issuer = addressOf(read, 'GOOGLE_ISSUER', 'https://accounts.google.com', isDemo, problems);
  const url = withoutSlash(addressOf(read, 'GITHUB_URL', 'https://github.com', isDemo, problems));
  const apiUrl = withoutSlash(addressOf(read, 'GITHUB_API_URL', 'https://api.github.com', isDemo, problems));
  return { google: google && { ...google, issuer }, github: github && { ...github, url, apiUrl } };
};
