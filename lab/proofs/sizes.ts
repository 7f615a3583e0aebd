/** How much a run does. */
export interface Size {
  readonly name: string;
  readonly buyers: number;
  /**
   * Part one: this many bookings of so few copies, so many at a time. `mayBeBusy`: an answer that the shop has too much
   * to do right now (503) is no violation but asked again; for a run that shares its machine with others.
   */
  readonly rush: {
    readonly bookings: number;
    readonly copies: number;
    readonly atOnce: number;
    readonly mayBeBusy: boolean;
  };
  /** Part three: orders that are handed over, closed, paid out, and some of them given back, with so many kills. */
  readonly deliveries: { readonly orders: number; readonly kills: number };
  /** Part four: books that three readers each look for, with so many kills. */
  readonly wants: { readonly copies: number; readonly kills: number };
  /** Part two. */
  readonly purchases: { readonly count: number; readonly atOnce: number };
  readonly appKills: number;
  readonly databaseKills: number;
  /** How often each named crash point is armed. */
  readonly eachCrashPoint: number;
}

export const FULL: Size = {
  name: 'full',
  buyers: 200,
  rush: { bookings: 10_000, copies: 100, atOnce: 64, mayBeBusy: false },
  purchases: { count: 2_000, atOnce: 24 },
  deliveries: { orders: 200, kills: 12 },
  wants: { copies: 60, kills: 8 },
  appKills: 50,
  databaseKills: 10,
  eachCrashPoint: 3,
};

/** Everything that the full size does, in some minutes and beside other work. */
export const MEDIUM: Size = {
  name: 'medium',
  buyers: 80,
  rush: { bookings: 2_000, copies: 40, atOnce: 64, mayBeBusy: true },
  purchases: { count: 400, atOnce: 24 },
  deliveries: { orders: 40, kills: 4 },
  wants: { copies: 20, kills: 3 },
  appKills: 14,
  databaseKills: 3,
  eachCrashPoint: 1,
};

/** Small enough for every run of the tests. */
export const SHORT: Size = {
  name: 'short',
  buyers: 40,
  rush: { bookings: 400, copies: 10, atOnce: 64, mayBeBusy: true },
  purchases: { count: 200, atOnce: 24 },
  deliveries: { orders: 12, kills: 1 },
  wants: { copies: 6, kills: 1 },
  appKills: 3,
  databaseKills: 1,
  eachCrashPoint: 0,
};
