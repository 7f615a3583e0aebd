import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { IsoTime } from './scalars.ts';

// What a demo shop answers beside its API, below /standins: in production there is nothing at these addresses.

/** Beside answers of a demo: how many seconds the shop's clock is ahead of the real one; absent where it is not. */
export const CLOCK_AHEAD_HEADER = 'shop-clock-ahead';

export const ShopClock = Type.Object({ now: IsoTime, aheadSeconds: Type.Integer() });
export type ShopClock = Static<typeof ShopClock>;

export const readClock = endpoint({
  method: 'GET',
  path: '/clock',
  summary: 'What time it is in the shop',
  access: 'anyone',
  status: 200,
  answer: ShopClock,
  personal: true,
});

/** 400 with `fields` for less than an hour, more than a year, or a clock that would be a century ahead. */
export const moveClock = endpoint({
  method: 'POST',
  path: '/clock',
  summary: "Moves the shop's clock forward; holds and deadlines go by it",
  access: 'anyone',
  body: Type.Object({ advanceHours: Type.Number({ minimum: 1, maximum: 8_760 }) }),
  status: 200,
  answer: ShopClock,
  personal: true,
});

/** Somebody whom anybody may sign in as. */
export const DemoPerson = Type.Object({ label: Type.String(), email: Type.String(), password: Type.String() });
export type DemoPerson = Static<typeof DemoPerson>;

export const listDemoPeople = endpoint({
  method: 'GET',
  path: '/people',
  summary: 'Who anybody may sign in as',
  access: 'anyone',
  status: 200,
  answer: Type.Array(DemoPerson),
  personal: true,
});
