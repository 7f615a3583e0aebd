// Requests to addresses that somebody typed: to the internet only.
import { lookup as lookUpHost } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const MAX_ADDRESS_LENGTH = 2_048;
const HTTPS_PORT = '443';

/** For tests, in the place of the world's: a certificate authority, ports, addresses and names. */
export interface OutsideRules {
  readonly ca?: string;
  readonly isPort?: (port: string) => boolean;
  readonly isAllowed?: (address: string) => boolean;
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
}

type Rules = Required<Omit<OutsideRules, 'ca'>> & Pick<OutsideRules, 'ca'>;

const isHttpsPort = (port: string): boolean => port === HTTPS_PORT;

const wholeRules = (rules: OutsideRules): Rules => ({
  isPort: isHttpsPort,
  isAllowed: isPublicAddress,
  resolve: (host) => lookUpHost(host, { all: true }),
  ...rules,
});

/** Nothing was sent: what is private and what is not there are told alike, so that nobody can explore by it. */
export class NotReached extends Error {
  readonly reason = 'unreachable';
}

/** An https address on its port, without credentials; undefined where it is none. */
export const outsideAddress = (text: string, isPort: OutsideRules['isPort'] = isHttpsPort): URL | undefined => {
  const url = URL.parse(text);
  const isFit =
    url !== null &&
    url.href.length <= MAX_ADDRESS_LENGTH &&
    url.protocol === 'https:' &&
    url.username + url.password === '' &&
    isPort(url.port || HTTPS_PORT);
  return isFit ? url : undefined;
};

/** All addresses of a name; one that may not be reached spoils it. */
const resolveAllowed = async (host: string, { resolve, isAllowed }: Rules) => {
  const [first, ...others] = await resolve(host);
  if (first === undefined || ![first, ...others].every(({ address }) => isAllowed(address)))
    throw new NotReached('unreachable');
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
        done(new NotReached('unreachable', { cause: error }), '');
      }
    };
    void answer();
  };

/**
 * Sends a request to an address of `outsideAddress`: no private network by whatever name or number, pinned to what was
 * looked at, no redirect followed, no cookies. Throws `NotReached`, or what the socket said.
 */
export const requestOutside = (
  url: URL,
  sent: { readonly method?: 'GET' | 'POST'; readonly headers: Record<string, string>; readonly body?: string },
  outside: OutsideRules,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  const rules = wholeRules(outside);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    // A number is connected to without any lookup.
    if (isIP(host) !== 0 && !rules.isAllowed(host)) {
      reject(new NotReached('unreachable'));
      return;
    }
    const asking = request(url, {
      method: sent.method ?? 'GET',
      agent: new Agent({ keepAlive: false, maxCachedSessions: 0 }),
      lookup: guarded(rules),
      signal,
      ...(rules.ca !== undefined && { ca: rules.ca }),
      headers: { 'accept-encoding': 'identity', ...sent.headers },
    });
    asking.on('socket', (socket) =>
      socket.once('connect', () => {
        if (!rules.isAllowed(socket.remoteAddress ?? '')) asking.destroy(new NotReached('unreachable'));
      }),
    );
    asking.once('response', resolve);
    asking.once('error', reject);
    asking.end(sent.body);
  });
};
