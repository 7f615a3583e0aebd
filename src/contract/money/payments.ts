import { Type } from 'typebox';
import { MAX_UNPAID_HOLDS } from '#contract/bookings/bookings.ts';
import { Address } from '#contract/delivery/address.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, DollarsInput, Email, Id } from '#contract/scalars.ts';

/**
 * `price` is that of `bookingId`, and is answered as the database has it: where the seller has lowered it since the
 * booking, the lower one. With `bookingIds` several open bookings of one seller are paid together and posted in one
 * parcel. Without `delivery` it is what stands, or the first way the seller offers; `address` is needed for post.
 * `postage` and `total`, which is charged, are computed by the shop; a way that is not offered is 400 with fields. A
 * differing `price` is 409 `price_changed`, a copy that is not what was promised 409 `copy_changed`, a paid booking 409
 * `already_paid`, a lost copy 409 `hold_lost`. After five declined cards within an hour 429 for an hour.
 */
export const createPaymentIntent = endpoint({
  method: 'POST',
  path: '/create-payment-intent',
  summary: "Takes or renews the hold and answers the booking's one live payment intent",
  access: 'buyer; `Idempotency-Key` is honoured',
  body: Type.Object({
    price: DollarsInput,
    bookingId: Type.Optional(Id),
    bookingIds: Type.Optional(Type.Array(Id, { maxItems: MAX_UNPAID_HOLDS })),
    delivery: Type.Optional(Type.Union([Type.Literal('pickup'), Type.Literal('post')])),
    address: Type.Optional(Address),
  }),
  status: 200,
  answer: Type.Object({ clientSecret: Type.String(), price: Dollars, postage: Dollars, total: Dollars }),
  refused: { clientSecret: '' },
  personal: true,
});

/**
 * The provider is asked; only its word counts. Still processing is 202 with `insertedId: null`; not succeeded is 409
 * `not_paid`; money that came for a lost copy is 409 `money_returned` and goes back by itself.
 */
export const recordPayment = endpoint({
  method: 'POST',
  path: '/payments',
  summary: 'Settles a booking whose payment the provider confirms',
  access: 'buyer; `Idempotency-Key` is honoured',
  body: Type.Object({
    price: DollarsInput,
    transactionId: Type.String({ maxLength: 255 }),
    email: Email,
    bookingId: Id,
  }),
  status: 200,
  otherStatus: 202,
  answer: Type.Object({ insertedId: Type.Union([Id, Type.Null()]) }),
  refused: { insertedId: null },
  personal: true,
});

/**
 * What the browser needs to show the payment form; `script` is the provider script of the stand-in, null when Stripe's
 * own is used.
 */
export const paymentSetup = endpoint({
  method: 'GET',
  path: '/payment-setup',
  summary: 'Publishable key of the payment provider, and whether payments are a test',
  access: 'anyone',
  status: 200,
  answer: Type.Object({
    publishableKey: Type.String(),
    script: Type.Union([Type.String(), Type.Null()]),
    test: Type.Boolean(),
  }),
  refused: { publishableKey: '', script: null, test: true },
  personal: false,
});
