import { lookup as lookUpHost } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export const MAX_FETCHED_BYTES = 10_000_000;
const MOST_MS = 10_000;
const MOST_REDIRECTS = 3;
const MAX_ADDRESS_LENGTH = 2_048;
const HTTPS_PORT = '443';

/** Why nothing was fetched; what is private and what is not there are told alike, so that nobody can explore by it. */
const REFUSALS = {
  address: 'Give an https address of a picture, such as https://example.com/cover.jpg',
  unreachable: 'The shop cannot reach this address of a picture; upload the photo instead',
  redirects: `This address of a picture leads on more than ${MOST_REDIRECTS} times; upload the photo instead`,
  large: `The picture at this address is larger than ${MAX_FETCHED_BYTES / 1_000_000} MB; upload a smaller one`,
  slow: `The picture at this address took longer than ${MOST_MS / 1000} seconds; upload the photo instead`,
  missing: 'There is no picture at this address',
  away: 'The other side cannot give the picture at the moment; upload the photo instead',
} as const;

type Reason = keyof typeof REFUSALS;

export interface Unfetched {
  /** A sentence for whoever typed the address. */
  readonly refused: string;
  /** Whether it may be otherwise another time. */
  readonly later: boolean;
}

export interface FetchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Says to the other side who asks. */
  readonly userAgent?: string;
  /** For tests, in the place of the world's: a certificate authority, ports, addresses and names. */
  readonly ca?: string;
  readonly isPort?: (port: string) => boolean;
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
}

const LATER: ReadonlySet<Reason> = new Set(['unreachable', 'slow', 'away']);

class NotFetched extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const readAddress = (text: string, isPort: (port: string) => boolean): URL => {
  const url = URL.parse(text);
  const isFit =
    url !== null &&
    url.href.length <= MAX_ADDRESS_LENGTH &&
    url.protocol === 'https:' &&
    url.username + url.password === '' &&
    isPort(url.port || HTTPS_PORT);
  if (!isFit) throw new NotFetched('address');
  return url;
};

type Rules = Required<Pick<FetchOptions, 'isPort' | 'isAllowed' | 'resolve'>> & FetchOptions;

/** All addresses of a name; one that may not be reached spoils it. */
const resolveAllowed = async (host: string, { resolve, isAllowed }: Rules) => {
  const [first, ...others] = await resolve(host);
  if (first === undefined || ![first, ...others].every(({ address }) => isAllowed(address)))
    throw new NotFetched('unreachable');
  return [first, ...others] as const;
};

/** The socket connects to what is answered here, and asks nobody again. */
const guarded =
  (rules: Rules): LookupFunction =>
  (host, options, done) => {
    const answer = async (): Promise<void> => {
      try {
        const found = await resolveAllowed(host, rules);
        if (options.all === true) done(null, [...found]);
        else done(null, found[0].address, found[0].family);
      } catch (error) {
        done(new NotFetched('unreachable', error), '');
      }
    };
    void answer();
  };

const ask = (url: URL, rules: Rules, signal: AbortSignal): Promise<IncomingMessage> => {
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  // A number is connected to without any lookup.
  if (isIP(host) !== 0 && !rules.isAllowed(host)) throw new NotFetched('unreachable');
  return new Promise((resolve, reject) => {
    const asking = request(url, {
      agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
      lookup: guarded(rules),
      signal,
      ...(rules.ca !== undefined && { ca: rules.ca }),
      headers: {
        accept: 'image/avif,image/webp,image/jpeg,image/png',
        'accept-encoding': 'identity',
        'user-agent': rules.userAgent ?? 'Dogear',
      },
    });
    asking.on('socket', (socket) =>
      socket.once('connect', () => {
        if (!rules.isAllowed(socket.remoteAddress ?? '')) asking.destroy(new NotFetched('unreachable'));
      }),
    );
    asking.once('response', resolve);
    asking.once('error', reject);
    asking.end();
  });
};

const read = async (answer: IncomingMessage): Promise<Buffer> => {
  if (Number(answer.headers['content-length'] ?? 0) > MAX_FETCHED_BYTES) throw new NotFetched('large');
  if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') throw new NotFetched('missing');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_FETCHED_BYTES) throw new NotFetched('large');
    parts.push(part);
  }
  if (!answer.complete) throw new NotFetched('away');
  return Buffer.concat(parts);
};

const fetchFrom = async (first: string, rules: Rules, signal: AbortSignal): Promise<Buffer> => {
  let url = readAddress(first, rules.isPort);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await ask(url, rules, signal);
    try {
      const status = answer.statusCode ?? 0;
      if (status === 200) return await read(answer);
      if (status === 429 || status >= 500) throw new NotFetched('away');
      const { location } = answer.headers;
      if (![301, 302, 303, 307, 308].includes(status) || location === undefined) throw new NotFetched('missing');
      if (redirects === MOST_REDIRECTS) throw new NotFetched('redirects');
      url = readAddress(URL.parse(location, url)?.href ?? '', rules.isPort);
    } finally {
      answer.destroy();
    }
  }
};

/**
 * Fetches a picture that somebody named, from the internet only: https on its port, no private address by whatever
 * name, number or redirect, 10 seconds and 10 MB in all, no cookies, no Referer. Whether the bytes are a picture is the
 * decoder's to say.
 */
export const fetchPicture = async (
  address: string,
  options: FetchOptions = {},
): Promise<{ readonly bytes: Buffer } | Unfetched> => {
  const limit = AbortSignal.timeout(MOST_MS);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  const rules: Rules = {
    isPort: (port) => port === HTTPS_PORT,
    isAllowed: isPublicAddress,
    resolve: (host) => lookUpHost(host, { all: true }),
    ...options,
  };
  try {
    return { bytes: await fetchFrom(address, rules, signal) };
  } catch (error) {
    // What the socket, the name server or the certificate said is the same to whoever typed the address.
    const told: Reason = error instanceof NotFetched ? error.reason : 'unreachable';
    const reason: Reason = signal.aborted ? 'slow' : told;
    return { refused: REFUSALS[reason], later: LATER.has(reason) };
  }
};
