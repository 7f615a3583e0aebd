import { Type, type Static } from 'typebox';
import { ListingStatus } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime } from '#contract/scalars.ts';

/** How far ahead a day of return may be, in days. */
export const MAX_PAUSE_DAYS = 366;

/**
 * 409 `copy_locked` while the copy is held or once it is sold; another's copy is 404. While the whole shelf is paused,
 * `paused: false` has the copy come back with the others. `modifiedCount` is 0 when it is so already.
 */
export const pauseListing = endpoint({
  method: 'PUT',
  path: '/products/:id/pause',
  summary: 'Hides an own copy for a while, or puts it back',
  access: 'its seller',
  scope: 'stock:write',
  params: Type.Object({ id: Id }),
  body: Type.Object({ paused: Type.Boolean() }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer(), status: ListingStatus }),
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * Whether the whole shelf of a seller is paused, since when by the shop's clock, and the day of return, on which it
 * comes back by itself: as `2026-12-24` in the shop's time zone, null where there is none. `hidden`: how many copies
 * come back then; those that were paused by themselves are not among them. `openOrders`: orders of the seller that are
 * under way, whose deadlines go on.
 */
export const ShelfPause = Type.Object({
  paused: Type.Boolean(),
  since: Type.Union([IsoTime, Type.Null()]),
  until: Type.Union([Type.String(), Type.Null()]),
  hidden: Type.Integer(),
  openOrders: Type.Integer(),
});
export type ShelfPause = Static<typeof ShelfPause>;

export const readShelfPause = endpoint({
  method: 'GET',
  path: '/shelf/pause',
  summary: 'Whether the own shelf is paused',
  access: 'seller',
  status: 200,
  answer: ShelfPause,
  refused: {},
  personal: true,
});

/**
 * Hides every available copy until the seller is back, and every copy that is added or given up by a buyer meanwhile;
 * 400 with `fields` for a day of return that is no day, not after today or more than a year ahead. With `paused: false`
 * the copies come back, each to the first in its line where there is one.
 */
export const saveShelfPause = endpoint({
  method: 'PUT',
  path: '/shelf/pause',
  summary: 'Pauses the own shelf, or ends that',
  access: 'seller',
  body: Type.Object({
    paused: Type.Boolean(),
    until: Type.Union([
      Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: 'such as 2026-12-24' }),
      Type.Null(),
    ]),
  }),
  status: 200,
  answer: ShelfPause,
  refused: {},
  personal: true,
});
