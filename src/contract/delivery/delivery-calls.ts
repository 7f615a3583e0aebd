import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, DollarsInput, Id, Text } from '#contract/scalars.ts';

const Country = Type.String({ maxLength: 2, description: 'ISO 3166-1 alpha-2' });
const Countries = Type.Array(Type.String({ maxLength: 2 }), { maxItems: 300, description: 'ISO 3166-1 alpha-2' });

/**
 * How a copy comes to its buyer, as everybody sees it. `freeFrom`: from which sum of prices on a parcel is posted for
 * nothing, null for never. `home`: the country it is posted from. `daysToPost`: within how many working days it is
 * posted or ready.
 */
export const CopyDelivery = Type.Object({
  pickup: Type.Boolean(),
  pickupPlace: Type.String(),
  post: Type.Boolean(),
  first: Dollars,
  further: Dollars,
  freeFrom: Type.Union([Dollars, Type.Null()]),
  countries: Countries,
  home: Country,
  daysToPost: Type.Integer(),
});
export type CopyDelivery = Static<typeof CopyDelivery>;

/**
 * What a seller says of how copies come to their buyers: of all, or of one. An empty `pickupPlace` is where the copy's
 * listing says. Amounts and countries may be anything where `post` is false, and are kept.
 */
export const CopyDeliveryDraft = Type.Object({
  pickup: Type.Boolean(),
  pickupPlace: Text(200),
  post: Type.Boolean(),
  first: DollarsInput,
  further: DollarsInput,
  freeFrom: Type.Union([Type.Number(), Type.String({ maxLength: 20 }), Type.Null()], {
    description: 'US dollars as for prices; null or empty for never',
  }),
  countries: Countries,
  daysToPost: Type.Integer(),
});
export type CopyDeliveryDraft = Static<typeof CopyDeliveryDraft>;

/** What a seller sets for all copies. `home` is the country they post from; absent: the first of `countries`. */
export const DeliveryDraft = Type.Object({ ...CopyDeliveryDraft.properties, home: Type.Optional(Country) });
export type DeliveryDraft = Static<typeof DeliveryDraft>;

/** What is different for one copy: what is left out is as for all of its seller's. */
export const DeliveryExceptionDraft = Type.Partial(CopyDeliveryDraft);
export type DeliveryExceptionDraft = Static<typeof DeliveryExceptionDraft>;

/** The viewer's settings; `said` is false until they have saved any, and the rest is then what holds meanwhile. */
export const readDelivery = endpoint({
  method: 'GET',
  path: '/sellers/delivery',
  summary: 'How own copies come to their buyers',
  access: 'seller',
  status: 200,
  answer: Type.Object({ said: Type.Boolean(), ...CopyDelivery.properties }),
  refused: {},
  personal: true,
});

/** 400 with `fields` for what is wrong; `modifiedCount` is 0 when it is so already. */
export const saveDelivery = endpoint({
  method: 'PUT',
  path: '/sellers/delivery',
  summary: 'Sets how own copies come to their buyers',
  access: 'seller',
  body: DeliveryDraft,
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});

/** `shop` is what holds for all copies, `own` what is different for this one; another's copy is 404. */
export const readCopyDelivery = endpoint({
  method: 'GET',
  path: '/products/:id/delivery',
  summary: 'How an own copy comes to its buyer, and what of it is its own',
  access: 'its seller',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Type.Object({ shop: CopyDelivery, own: Type.Partial(CopyDelivery) }),
  refused: {},
  personal: true,
});

/**
 * Replaces what is different for an own copy; an empty body takes it away. 400 with `fields` for what together with the
 * settings for all copies makes no sense; 409 `copy_locked` while the copy is held or once it is sold; another's copy
 * is 404. `modifiedCount` is 0 when it is so already.
 */
export const saveCopyDelivery = endpoint({
  method: 'PUT',
  path: '/products/:id/delivery',
  summary: 'Sets what is different about the delivery of an own copy',
  access: 'its seller',
  params: Type.Object({ id: Id }),
  body: DeliveryExceptionDraft,
  status: 200,
  answer: Type.Object({ modifiedCount: Type.Integer() }),
  refused: { modifiedCount: 0 },
  personal: true,
});
