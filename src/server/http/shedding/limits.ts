import type { FastifyInstance } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { COSTLY_CALLS, type CallLimit } from './costly-calls.ts';

interface Taken {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

type Counted = CallLimit & { readonly kind: string };

/** How calls are counted where all processes see them; handed in, because http knows no module. */
export type CountTogether = (
  limits: readonly { readonly limit: Counted; readonly subject: string }[],
) => Promise<Taken>;

export interface LimitOptions {
  readonly countTogether: CountTogether;
  /** What one client cannot easily change about its address. */
  readonly networkOf: (address: string) => string;
  /** The limits are multiplied by it: a demo is for trying, also by crowds of scripts on one machine. */
  readonly patience: number;
  /** How many processes share what each counts by itself. */
  readonly workers: number;
}

export interface Limits {
  /** Counts a call that costs much; 429 with Retry-After when there were too many. */
  admit(spec: EndpointSpec, viewer: Viewer, address: string): Promise<void> | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    limits: Limits;
  }
}

/** Clients of one window beyond which it begins anew: what is counted must not fill the memory. */
const MOST_SUBJECTS = 100_000;

/** Counts within fixed windows, in this process. */
export const countHere = (now: () => number = () => performance.now()) => {
  const windows = new Map<string, { startedAt: number; counts: Map<string, number> }>();
  return ({ kind, calls, windowSeconds }: Counted, subject: string): Taken => {
    const time = now();
    let window = windows.get(kind);
    if (
      window === undefined ||
      time - window.startedAt >= windowSeconds * 1_000 ||
      window.counts.size >= MOST_SUBJECTS
    ) {
      window = { startedAt: time, counts: new Map() };
      windows.set(kind, window);
    }
    const count = (window.counts.get(subject) ?? 0) + 1;
    window.counts.set(subject, count);
    const left = window.startedAt + windowSeconds * 1_000 - time;
    return { allowed: count <= calls, retryAfterSeconds: Math.max(1, Math.ceil(left / 1_000)) };
  };
};

const nameOf = ({ method, path }: EndpointSpec): string => `${method} ${path}`;

const refuse = ({ allowed, retryAfterSeconds }: Taken): void => {
  if (!allowed) throw new AppError('too_many', 'Too many requests; please wait a moment', { retryAfterSeconds });
};

const createLimits = ({ countTogether, networkOf, patience, workers }: LimitOptions): Limits => {
  const here = countHere();
  const limitsOf = new Map<EndpointSpec, readonly Counted[]>(
    COSTLY_CALLS.map(({ spec, limits }) => [
      spec,
      limits.map((limit) => {
        const share = limit.counted === 'process' ? workers : 1;
        const calls = Math.max(1, Math.floor((limit.calls * patience) / share));
        return { ...limit, calls, kind: `${nameOf(spec)} by ${limit.per}` };
      }),
    ]),
  );
  const count = async (own: readonly Counted[], viewer: Viewer, address: string): Promise<void> => {
    const together: Parameters<CountTogether>[0][number][] = [];
    for (const limit of own) {
      // Whoever is nobody makes no such call: the guard has refused it.
      if (limit.per === 'account' && viewer.kind === 'anonymous') continue;
      const subject = limit.per === 'network' || viewer.kind === 'anonymous' ? networkOf(address) : viewer.userId;
      if (limit.counted === 'process') refuse(here(limit, subject));
      else together.push({ limit, subject });
    }
    if (together.length > 0) refuse(await countTogether(together));
  };
  return {
    admit: (spec, viewer, address) => {
      const own = limitsOf.get(spec);
      return own && count(own, viewer, address);
    },
  };
};

/** Lets routes ask whether a call is one too many. */
export const addLimits = (app: FastifyInstance, options: LimitOptions): void => {
  app.decorate('limits', createLimits(options));
};
