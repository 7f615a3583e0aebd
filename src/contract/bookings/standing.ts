import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id, IsoTime } from '#contract/scalars.ts';

/** At most this many copies are asked about at once; a page of a list holds fewer. */
export const MAX_STANDINGS = 60;

const ONE = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/**
 * How the viewer stands to a copy:
 * - `own`: they list it
 * - `held`: it is reserved for them by `bookingId`, until `until` (null once that time is over and nobody else has the
 *   copy yet)
 * - `bought`: they paid for it by `bookingId`, at `boughtAt`
 * - `waiting`: they are on its waiting list, in `place`
 */
export const Standing = Type.Object({
  listingId: Id,
  kind: Type.Union([Type.Literal('own'), Type.Literal('held'), Type.Literal('bought'), Type.Literal('waiting')]),
  bookingId: Type.Union([Id, Type.Null()]),
  until: Type.Union([IsoTime, Type.Null()]),
  boughtAt: Type.Union([IsoTime, Type.Null()]),
  place: Type.Union([Type.Integer(), Type.Null()]),
});
export type Standing = Static<typeof Standing>;

/** Only the copies that are something to the viewer; the others, and those that do not exist, are left out. */
export const listStandings = endpoint({
  method: 'GET',
  path: '/standing',
  summary: 'How the viewer stands to some copies',
  access: 'anyone signed in',
  query: Type.Object({
    ids: Type.String({
      pattern: `^${ONE}(,${ONE}){0,${MAX_STANDINGS - 1}}$`,
      description: `listings, at most ${MAX_STANDINGS}, with commas`,
    }),
  }),
  status: 200,
  answer: Type.Array(Standing),
  personal: true,
});
