import type { SocialFailure } from '#contract/users/social.ts';
import { createBreaker, CircuitOpen } from '#server/platform/breaker.ts';

/** What belongs to one way to a service and back; none of it is used twice. */
export interface Ask {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A user as a service vouches for them: the address is verified there, text is fit to be stored. */
export interface SocialProfile {
  /** Who vouches. With `subject` it is the key: addresses and names change hands. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly name: string;
  /** An https address, or empty. */
  readonly photoUrl: string;
}

/** A service users sign in with, over its protocol. Its failures are `SocialRefusal`s. */
export interface SocialProvider {
  /** Where to send the browser. */
  authorizationUrl(ask: Ask): Promise<URL>;
  /** Who came back with `answer`, the query of the callback. */
  identify(ask: Ask, answer: URLSearchParams): Promise<SocialProfile>;
}

/** How a service is reached where its addresses lead nowhere: a stand-in, hosted by the shop. */
export interface Reach {
  /** Where this process finds it. */
  readonly server: URL;
  /** Where users' browsers find it. */
  readonly browser: string;
}

/** A shop's registration with a service. */
export interface Registration<C> {
  readonly config: C;
  /** Given where a stand-in plays the service. */
  readonly reach?: Reach | undefined;
  /** How long each call of the service may take. */
  readonly timeoutSeconds?: number | undefined;
}

/** The way to a service and back ended without anybody signed in; `failure` is what the user is told. */
export class SocialRefusal extends Error {
  readonly failure: SocialFailure;

  constructor(failure: SocialFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SocialRefusal';
    this.failure = failure;
  }
}

/** A user should not wait longer for a service that does not answer. */
export const TIMEOUT_SECONDS = 5;

const moved = (url: URL, base: URL): URL =>
  new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}${url.pathname}${url.search}`);

/** A service answered that it is not well itself. */
class Unwell extends Error {
  readonly answer: Response;
  constructor(answer: Response) {
    super(`it answered ${answer.status}`);
    this.answer = answer;
  }
}

/**
 * `fetch` for the calls of a service, which may be reached elsewhere than its addresses say. A service that fails again
 * and again is left alone for a moment, so that users are told at once.
 */
export const fetchFrom = (dependency: string, reach: Reach | undefined) => {
  const breaker = createBreaker({ dependency, isFailure: () => true });
  return async (url: string, options: object): Promise<Response> => {
    const at = reach === undefined ? url : moved(new URL(url), reach.server);
    try {
      return await breaker.call(async () => {
        const answer = await fetch(at, options);
        if (answer.status >= 500 || answer.status === 429) throw new Unwell(answer);
        return answer;
      });
    } catch (error) {
      if (error instanceof Unwell) return error.answer;
      if (error instanceof CircuitOpen) throw new SocialRefusal('down', error.message);
      throw error;
    }
  };
};

/** The address of a service as a browser finds it. */
export const seenThrough = (reach: Reach | undefined, url: URL): URL =>
  reach === undefined ? url : moved(url, new URL(reach.browser));
