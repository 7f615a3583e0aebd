/** How much a run does. */
export interface Size {
  readonly name: string;
  readonly buyers: number;
  /** Part one: this many bookings of so few copies, so many at a time. */
  readonly rush: { readonly bookings: number; readonly copies: number; readonly atOnce: number };
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
  rush: { bookings: 10_000, copies: 100, atOnce: 64 },
  purchases: { count: 2_000, atOnce: 24 },
  appKills: 50,
  databaseKills: 10,
  eachCrashPoint: 3,
};

/** Small enough for every run of the tests. */
export const SHORT: Size = {
  name: 'short',
  buyers: 40,
  rush: { bookings: 400, copies: 10, atOnce: 64 },
  purchases: { count: 200, atOnce: 24 },
  appKills: 3,
  databaseKills: 1,
  eachCrashPoint: 0,
};
