/** A place in the database's log of changes; what was changed later has a greater one. */
export type LogPlace = bigint;

/** Reads `16/B374D848`, as PostgreSQL writes a place in its log. */
export const logPlaceOf = (text: string): LogPlace => {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

/** Beyond so many scopes the oldest are worth less than the memory: all then count as changed at the latest place. */
const MOST_SCOPES = 10_000;
/** Where something changed at a place that is not known yet. */
const UNKNOWN = undefined;

export interface KnownChanges {
  /** Something of these scopes changed, or anything at all; where is asked of the database next. */
  note(scopes: ReadonlySet<string> | 'all'): void;
  /** How far a copy of the database must be to know every change of these scopes; undefined while that is not known. */
  needed(scopes: readonly string[]): LogPlace | undefined;
}

/**
 * Remembers how late in the log each scope was last changed. `position` tells a place at or after everything that was noted before
 * it was asked.
 */
export const createKnownChanges = (position: () => Promise<LogPlace>): KnownChanges & { settle(): Promise<void> } => {
  const places = new Map<string, LogPlace | undefined>();
  let everything: LogPlace | undefined = UNKNOWN;
  let isEverythingNew = true;
  let fresh = new Set<string>();
  let settling: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    while (isEverythingNew || fresh.size > 0) {
      const [asked, wasEverything] = [fresh, isEverythingNew];
      fresh = new Set();
      isEverythingNew = false;
      try {
        const place = await position();
        if (wasEverything && !isEverythingNew) {
          everything = place;
          for (const scope of places.keys()) if (!fresh.has(scope)) places.delete(scope);
        }
        for (const scope of asked) if (!fresh.has(scope) && !wasEverything) places.set(scope, place);
        if (places.size > MOST_SCOPES && fresh.size === 0) {
          places.clear();
          everything = place;
        }
      } catch (error) {
        isEverythingNew ||= wasEverything;
        for (const scope of asked) fresh.add(scope);
        throw error;
      }
    }
  };

  /** Learns the places of what was noted; called again after the database could not be asked. */
  const settle = (): Promise<void> => (settling ??= ask().finally(() => (settling = undefined)));

  return {
    note: (scopes) => {
      if (scopes === 'all') {
        everything = UNKNOWN;
        isEverythingNew = true;
      } else {
        for (const scope of scopes) {
          places.set(scope, UNKNOWN);
          fresh.add(scope);
        }
      }
      settle().catch(() => {});
    },
    needed: (scopes) => {
      let most = everything;
      if (most === UNKNOWN) return undefined;
      for (const scope of scopes) {
        if (!places.has(scope)) continue;
        const place = places.get(scope);
        if (place === UNKNOWN) return undefined;
        if (place > most) most = place;
      }
      return most;
    },
    settle,
  };
};
