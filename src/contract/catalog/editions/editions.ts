import { Type, type Static } from 'typebox';
import { Listing } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Id } from '#contract/scalars.ts';

/** How many other copies of an edition are told; a search for it shows all. */
export const EDITION_COPIES_SHOWN = 5;

/** Copies beyond this many are not counted. */
export const EDITION_COUNT_LIMIT = 100;

/** A copy that can be booked, as it stands beside others of its edition. */
export const EditionCopy = Type.Pick(Listing, [
  '_id',
  'title',
  'condition',
  'years_of_use',
  'years_known',
  'original_price',
  'original_known',
  'resale_price',
  'location',
  'Seller',
  'seller_slug',
  'seller_verified',
  'status',
]);
export type EditionCopy = Static<typeof EditionCopy>;

/**
 * Copies of the edition that `id` is a copy of, itself left out: with the same ISBN or, where it has none, without one
 * and with the same title and authors, accents and case ignored. `copies`: the cheapest, at most 5. `count`: all of
 * them, at most 100. A sold copy has others too; an unknown one is 404.
 */
export const listEditionCopies = endpoint({
  method: 'GET',
  path: '/categories/:id/copies',
  summary: 'Other copies of the same edition that can be booked, the cheapest first',
  access: 'anyone',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Type.Object({ copies: Type.Array(EditionCopy), count: Type.Integer() }),
  refused: { copies: [], count: 0 },
  personal: false,
});
