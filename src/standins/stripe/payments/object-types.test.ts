import type Stripe from 'stripe';
import { expectTypeOf, test } from 'vitest';
import type { newCharge } from './charges.ts';
import type { newDispute } from './dispute-object.ts';
import type { newIntent } from './intent-object.ts';
import type { IntentRow, MethodRow, Tables } from '#standins/stripe/store/tables.ts';

/**
 * The type checker runs these: each object is written out as one literal that must satisfy the `stripe` package's own
 * type.
 */
test('every object is of the type the stripe package gives it', () => {
  expectTypeOf<ReturnType<typeof newIntent>>().toEqualTypeOf<Stripe.PaymentIntent>();
  expectTypeOf<ReturnType<typeof newCharge>>().toEqualTypeOf<Stripe.Charge>();
  expectTypeOf<ReturnType<typeof newDispute>>().toEqualTypeOf<Stripe.Dispute>();
  expectTypeOf<IntentRow['intent']>().toEqualTypeOf<Stripe.PaymentIntent>();
  expectTypeOf<MethodRow['method']>().toEqualTypeOf<Stripe.PaymentMethod>();
  expectTypeOf<Tables['charges']>().toEqualTypeOf<Stripe.Charge>();
  expectTypeOf<Tables['refunds']>().toEqualTypeOf<Stripe.Refund>();
  expectTypeOf<Tables['disputes']>().toEqualTypeOf<Stripe.Dispute>();
  expectTypeOf<Tables['events']>().toEqualTypeOf<Stripe.EventBase>();
});
