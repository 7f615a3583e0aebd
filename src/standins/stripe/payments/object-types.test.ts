import type Stripe from 'stripe';
import { expectTypeOf, test } from 'vitest';
import type { newAccount } from '#standins/stripe/connect/account-object.ts';
import type { newBalance } from '#standins/stripe/connect/balance.ts';
import type { newPayout } from '#standins/stripe/connect/bank-payouts.ts';
import type { book } from '#standins/stripe/connect/books.ts';
import type { newReversal, newTransfer } from '#standins/stripe/connect/transfer-object.ts';
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
  expectTypeOf<ReturnType<typeof newAccount>>().toEqualTypeOf<Stripe.V2.Core.Account>();
  expectTypeOf<ReturnType<typeof newTransfer>>().toEqualTypeOf<Stripe.Transfer>();
  expectTypeOf<ReturnType<typeof newReversal>>().toEqualTypeOf<Stripe.TransferReversal>();
  expectTypeOf<ReturnType<typeof newPayout>>().toEqualTypeOf<Stripe.Payout>();
  expectTypeOf<ReturnType<typeof newBalance>>().toEqualTypeOf<Stripe.Balance>();
  expectTypeOf<ReturnType<typeof book>>().toEqualTypeOf<Stripe.BalanceTransaction>();
  expectTypeOf<IntentRow['intent']>().toEqualTypeOf<Stripe.PaymentIntent>();
  expectTypeOf<MethodRow['method']>().toEqualTypeOf<Stripe.PaymentMethod>();
  expectTypeOf<Tables['charges']>().toEqualTypeOf<Stripe.Charge>();
  expectTypeOf<Tables['refunds']>().toEqualTypeOf<Stripe.Refund>();
  expectTypeOf<Tables['disputes']>().toEqualTypeOf<Stripe.Dispute>();
  expectTypeOf<Tables['events']>().toEqualTypeOf<Stripe.EventBase>();
});
