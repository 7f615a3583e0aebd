/** What can go wrong between Stripe and a shop without either being at fault. */
export const FAULTS = {
  /** A webhook that is lost for good: Stripe believes it arrived. */
  drop: 'webhook',
  /** A webhook that is sent twice at the same moment. */
  double: 'webhook',
  /** A webhook that is sent `ms` later. */
  delay: 'webhook',
  /** A webhook that waits until a later one was sent. */
  reorder: 'webhook',
  /** A call that does its work and is answered 500, which its idempotency key then repeats. */
  fail: 'call',
  /** A call that does its work and whose answer is lost: the connection is cut. */
  cut: 'call',
  /** A call that begins its work `ms` late. */
  hang: 'call',
} as const satisfies Record<string, 'call' | 'webhook'>;

export type FaultName = keyof typeof FAULTS;

/**
 * A call with this header (`off`) meets no fault: whoever tries a shop looks into these books as well, and must see
 * them.
 */
export const FAULTS_HEADER = 'standin-faults';

/** A fault with how often it strikes: the share `ratio` of all, or the `next` so many. */
export interface Fault {
  readonly fault: FaultName;
  readonly ratio?: number;
  readonly next?: number;
  /**
   * Which calls (`POST /v1/refunds`, `POST /v1/payment_intents/:id/cancel`) or events (`payment_intent.succeeded`);
   * absent: all.
   */
  readonly on?: string;
  readonly ms?: number;
}

export interface FaultPlan {
  readonly seed: number;
  readonly faults: readonly Fault[];
}

/** A fault that struck. */
export interface Strike {
  readonly fault: FaultName;
  readonly ms: number;
}

const DEFAULT_MS = 1_000;

/** Evenly spread numbers in [0, 1) that a seed alone decides (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Rule extends Fault {
  left: number;
  struck: number;
}

export type Faults = ReturnType<typeof createFaults>;

/**
 * Decides which webhooks and calls go wrong. The n-th webhook and the n-th call under a plan have a fate that its seed
 * alone decides, so that a run can be had again.
 */
export function createFaults() {
  let seed = 0;
  let rules: Rule[] = [];
  let random = { webhook: seededRandom(0), call: seededRandom(1) };

  function plan(next: FaultPlan): void {
    seed = next.seed;
    rules = next.faults.map((fault) => ({ ...fault, left: fault.next ?? 0, struck: 0 }));
    random = { webhook: seededRandom(seed), call: seededRandom(seed + 1) };
  }

  /**
   * What befalls this webhook or call; undefined for nothing. One number decides among all ratios, so each keeps its
   * share.
   */
  function strike(kind: 'call' | 'webhook', subject: string, onlyByName = false): Strike | undefined {
    const matching = rules.filter(
      ({ fault, on }) => FAULTS[fault] === kind && (on === undefined ? !onlyByName : on === subject),
    );
    const counted = matching.find(({ left }) => left > 0);
    if (counted !== undefined) {
      counted.left -= 1;
      return struckBy(counted);
    }
    let threshold = 0;
    const drawn = random[kind]();
    for (const rule of matching) {
      threshold += rule.ratio ?? 0;
      if (drawn < threshold) return struckBy(rule);
    }
    return undefined;
  }

  function struckBy(rule: Rule): Strike {
    rule.struck += 1;
    return { fault: rule.fault, ms: rule.ms ?? DEFAULT_MS };
  }

  return {
    plan,
    ofWebhook: (type: string) => strike('webhook', type),
    /** A browser's calls are struck only by faults that name them. */
    ofCall: (route: string, fromBrowser: boolean) => strike('call', route, fromBrowser),
    /** The plan, with what is left of it and how often each fault struck. */
    report: () => ({ seed, faults: rules.map((rule) => ({ ...rule })) }),
  };
}
