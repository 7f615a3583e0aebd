import { PORTS, type Plan } from './plan.ts';

/** A node as Patroni sees it. */
export interface Member {
  readonly name: string;
  readonly role: 'leader' | 'replica' | 'sync_standby' | 'standby_leader';
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | 'unknown';
}

const ASK_LIMIT_MS = 2_000;
const LOOK_AGAIN_MS = 250;
/** Running and replaying: Patroni's older and newer word for a replica that is well. */
const WELL = ['running', 'streaming'];

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const ask = async <A>(url: string): Promise<A | undefined> => {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT_MS) });
    return (await answer.json()) as A;
  } catch {
    return undefined;
  }
};

export const leaderOf = (members: readonly Member[]): Member | undefined =>
  members.find(({ role, state }) => role === 'leader' && WELL.includes(state));

export const synchronousOf = (members: readonly Member[]): Member | undefined =>
  members.find(({ role, state }) => role === 'sync_standby' && WELL.includes(state));

/** Whether all are there, on the leader's timeline, and a synchronous replica is named unless none is wanted. */
export const isWhole = (members: readonly Member[], count: number, isSynchronous = true): boolean => {
  const leader = leaderOf(members);
  return (
    members.length === count &&
    leader !== undefined &&
    (!isSynchronous || synchronousOf(members) !== undefined) &&
    members.every(({ state, timeline }) => WELL.includes(state) && timeline === leader.timeline)
  );
};

/** What the nodes tell of each other, asked of whichever answers. */
export const createPatroniView = (plan: Plan, count: number) => {
  const addressOf = (n: number): string => `http://${plan.inside(n)}:${PORTS.patroni}`;
  const members = async (of: (n: number) => boolean = () => true): Promise<Member[]> => {
    for (let n = 1; n <= count; n += 1) {
      const told = of(n) ? await ask<{ members?: Member[] }>(`${addressOf(n)}/cluster`) : undefined;
      if (told?.members !== undefined) return told.members;
    }
    return [];
  };
  /** Whom a node sends its log to at this moment; what members tell of themselves may be some seconds old. */
  const followersOf = async (n: number): Promise<string[]> => {
    const told = await ask<{ replication?: { application_name: string; state: string }[] }>(`${addressOf(n)}/patroni`);
    return (told?.replication ?? []).flatMap(({ application_name, state }) =>
      state === 'streaming' ? application_name : [],
    );
  };
  return {
    members,
    followersOf,
    addressOf,
    /** Fulfils with what they tell when it is so; rejects after the limit. */
    until: async (
      what: string,
      limitMs: number,
      isSo: (members: readonly Member[]) => boolean,
      of?: (n: number) => boolean,
    ): Promise<readonly Member[]> => {
      const deadline = performance.now() + limitMs;
      for (;;) {
        const told = await members(of);
        if (isSo(told)) return told;
        if (performance.now() > deadline) {
          throw new Error(`Not within ${limitMs / 1_000} s: ${what}. Patroni says ${JSON.stringify(told)}`);
        }
        await sleep(LOOK_AGAIN_MS);
      }
    },
  };
};
