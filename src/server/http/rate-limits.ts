import { LRUCache } from 'lru-cache';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/**
 * How often a call may be made by one network or one account. Counted in the database all processes count together; in
 * the process each counts its share, for what is too frequent to be written down.
 */
export interface RateLimit {
  readonly calls: number;
  readonly windowSeconds: number;
  readonly per: 'network' | 'account';
  readonly counted: 'database' | 'process';
}

const MINUTE = 60;
const HOUR = 3_600;

export const perAccount = (calls: number): RateLimit => ({
  calls,
  windowSeconds: HOUR,
  per: 'account',
  counted: 'database',
});
/** A network may be a school: it gets several people's share. */
export const perNetwork = (calls: number, minutes = 60): RateLimit => ({
  calls,
  windowSeconds: minutes * MINUTE,
  per: 'network',
  counted: 'database',
});
export const perNetworkAMinute = (calls: number): RateLimit => ({
  calls,
  windowSeconds: MINUTE,
  per: 'network',
  counted: 'process',
});
/** What asks for a password or passkey again, or adds one. */
export const PROOFS = [perAccount(30), perNetwork(300)];
/** What books and pays. */
export const PURCHASES = [perAccount(60), perNetwork(300)];

interface Attempt {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

export interface RateLimitOptions {
  /** Counts where all processes see it; handed in, because http knows no module. */
  readonly countTogether: (
    attempts: readonly { kind: string; calls: number; windowSeconds: number; subject: string }[],
  ) => Promise<Attempt>;
  /** What one client cannot easily change about its address. */
  readonly networkOf: (address: string) => string;
  /** The limits are multiplied by it: a demo is for trying, also by crowds of scripts on one machine. */
  readonly patience: number;
  /** How many processes share what each counts by itself. */
  readonly workers: number;
}

/** Clients whose calls are remembered; what is counted must not fill the memory. */
const MOST_SUBJECTS = 100_000;

/** Counts within fixed windows, in this process. */
export const countHere = () => {
  const counters = new LRUCache<string, number>({ maxSize: MOST_SUBJECTS, sizeCalculation: () => 1, ttlResolution: 0 });
  return (key: string, { calls, windowSeconds }: Pick<RateLimit, 'calls' | 'windowSeconds'>): Attempt => {
    const before = counters.get(key);
    counters.set(key, (before ?? 0) + 1, { ttl: windowSeconds * 1_000, noUpdateTTL: before !== undefined });
    const retryAfterSeconds = Math.max(1, Math.ceil(counters.getRemainingTTL(key) / 1_000));
    return { allowed: (before ?? 0) < calls, retryAfterSeconds };
  };
};

declare module 'fastify' {
  interface FastifyInstance {
    rateLimiter: ReturnType<typeof createRateLimiter>;
  }
}

const refuse = ({ allowed, retryAfterSeconds }: Attempt): void => {
  if (!allowed) throw new AppError('too_many', 'Too many requests; please wait a moment', { retryAfterSeconds });
};

/** Counts a call by its limits; 429 with Retry-After when there were too many. */
export const createRateLimiter = ({ countTogether, networkOf, patience, workers }: RateLimitOptions) => {
  const here = countHere();
  return async (
    { method, path }: Pick<EndpointSpec, 'method' | 'path'>,
    limits: readonly RateLimit[],
    viewer: Viewer,
    address: string,
  ) => {
    const together: Parameters<typeof countTogether>[0][number][] = [];
    for (const { per, counted, windowSeconds, ...limit } of limits) {
      // Whoever is nobody makes no such call: the guard has refused it.
      if (per === 'account' && viewer.kind === 'anonymous') continue;
      const subject = per === 'network' || viewer.kind === 'anonymous' ? networkOf(address) : viewer.userId;
      const kind = `${method} ${path} by ${per}`;
      const share = counted === 'process' ? workers : 1;
      const calls = Math.max(1, Math.floor((limit.calls * patience) / share));
      if (counted === 'process') refuse(here(`${kind} ${subject}`, { calls, windowSeconds }));
      else together.push({ kind, calls, windowSeconds, subject });
    }
    if (together.length > 0) refuse(await countTogether(together));
  };
};
