import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { Registry } from 'prom-client';
import { measure } from './metrics.ts';
import { traced } from './tracing.ts';

/** An outside service that failed so often in a row is asked no more for a while. */
const FAILURES = 5;
/** Then one call is let through; where it ends well, all are. */
const PAUSE_MS = 5_000;

/** The service failed so often that it is not even asked now; nothing was done there. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen';
  readonly dependency: string;

  constructor(dependency: string) {
    super(`${dependency} failed too often and is left alone for a moment`);
    this.dependency = dependency;
  }
}

/** Keeps callers from waiting, one after the other, for a service that does not answer. */
export interface Breaker {
  /** Runs `work`, or throws `CircuitOpen`. */
  call<T>(work: () => Promise<T>): Promise<T>;
  /** Whether a call would be refused now. */
  isOpen(): boolean;
}

export interface BreakerOptions {
  /** What the service is called in metrics. */
  readonly dependency: string;
  /** Whether an error means that the service is unwell; anything else is an answer like any other. */
  readonly isFailure: (error: Error) => boolean;
  readonly pauseMs?: number;
}

/** The breakers of this process, for its metrics: the newest of each name. */
const known = new Map<string, Breaker>();

export const createBreaker = ({ dependency, isFailure, pauseMs = PAUSE_MS }: BreakerOptions): Breaker => {
  const policy = circuitBreaker(
    handleWhen((error) => error instanceof Error && isFailure(error)),
    {
      breaker: new ConsecutiveBreaker(FAILURES),
      halfOpenAfter: pauseMs,
    },
  );
  let openedAt = 0;
  policy.onBreak(() => {
    openedAt = performance.now();
  });
  const breaker: Breaker = {
    call: async (work) => {
      try {
        return await policy.execute(() => traced(dependency, { 'peer.service': dependency }, work));
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw new CircuitOpen(dependency);
        throw error;
      }
    },
    isOpen: () => policy.state === CircuitState.Open && performance.now() - openedAt < pauseMs,
  };
  known.set(dependency, breaker);
  return breaker;
};

/** Which services are left alone; those that this process has not met are not there. */
export const measureBreakers = (registry: Registry): void => {
  const help = 'Processes that leave an outside service alone because it failed too often in a row.';
  measure(registry, 'dogear_breaker_open', help, ['dependency'], () =>
    [...known].map(([dependency, breaker]) => [{ dependency }, breaker.isOpen() ? 1 : 0]),
  );
};
