import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Id } from '#contract/scalars.ts';

/** What a buyer is promised of a copy. Price in US dollars. */
const CopyTerms = Type.Object({
  title: Type.String(),
  authors: Type.String(),
  condition: Type.String(),
  details: Type.String(),
  image_url: Type.String(),
  price: Dollars,
});

/**
 * How a copy differs from what its buyer was promised: `then` and `now` have the fields that changed and no others. A
 * lower price and a picture where there was none are no change. `version` names the copy as it is now.
 */
export const CopyChange = Type.Object({
  bookingId: Id,
  version: Type.String(),
  // oxlint-disable-next-line unicorn/no-thenable -- data, never a function
  then: Type.Partial(CopyTerms),
  now: Type.Partial(CopyTerms),
});
export type CopyChange = Static<typeof CopyChange>;

/**
 * The buyer takes the copy as it is now for what was promised. `version` is that of the change they saw: 409
 * `copy_changed` when the copy has changed once more, 0 when nothing differs from the promise. Takes no hold.
 */
export const acceptCopy = endpoint({
  method: 'PUT',
  path: '/bookings/:id/promise',
  summary: 'Goes on with a copy that was changed since it was booked',
  access: 'its buyer',
  params: Type.Object({ id: Id }),
  body: Type.Object({ version: Type.String({ maxLength: 64 }) }),
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});
