import type { IncomingMessage } from 'node:http';
import {
  NotReached,
  outsideAddress,
  requestOutside,
  type OutsideRules,
} from '#server/platform/outside/request-outside.ts';

export const MAX_FETCHED_BYTES = 10_000_000;
const MOST_MS = 10_000;
const MOST_REDIRECTS = 3;
const ACCEPTED = 'image/avif,image/webp,image/jpeg,image/png';

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

export interface FetchOptions extends OutsideRules {
  readonly signal?: AbortSignal | undefined;
  /** Says to the other side who asks. */
  readonly userAgent?: string;
}

const LATER: ReadonlySet<Reason> = new Set(['unreachable', 'slow', 'away']);

class NotFetched extends Error {
  readonly reason: Reason;
  constructor(reason: Reason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const ask = async (url: URL, { userAgent = 'Dogear', ...rules }: FetchOptions, signal: AbortSignal) => {
  try {
    return await requestOutside(url, { headers: { accept: ACCEPTED, 'user-agent': userAgent } }, rules, signal);
  } catch (error) {
    throw error instanceof NotReached ? new NotFetched(error.reason, error) : error;
  }
};

const readAddress = (text: string, isPort: FetchOptions['isPort']): URL => {
  const url = outsideAddress(text, isPort);
  if (url === undefined) throw new NotFetched('address');
  return url;
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

const fetchFrom = async (first: string, rules: FetchOptions, signal: AbortSignal): Promise<Buffer> => {
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
  try {
    return { bytes: await fetchFrom(address, options, signal) };
  } catch (error) {
    // What the socket, the name server or the certificate said is the same to whoever typed the address.
    const told: Reason = error instanceof NotFetched ? error.reason : 'unreachable';
    const reason: Reason = signal.aborted ? 'slow' : told;
    return { refused: REFUSALS[reason], later: LATER.has(reason) };
  }
};
