import Stripe from 'stripe';
import { openConnect } from './connect/stripe-connect.ts';
import {
  ProviderFailed,
  ProviderRefused,
  type DisputeFacts,
  type IntentFacts,
  type NewIntent,
  type ProviderOptions,
  type RefundFacts,
  type RefundToSend,
} from './provider.ts';
import { idOf, isResourceMissing, LIST_LIMIT, openClient, UUID } from './stripe-client.ts';
import { eventReader } from './stripe-events.ts';

const ALREADY_REFUNDED = 'charge_already_refunded';
/** The provider's clock and ours may differ by this much. */
const CLOCK_MARGIN_MS = 60_000;
const COUNT = /^\d{1,6}$/;
/** What our metadata says; anybody with the account's key can write there, so it is read like input. */
const oursIn = (metadata: Stripe.Metadata): { bookingId: string; n: number } => {
  const { booking_id: bookingId = '', n = '' } = metadata;
  return UUID.test(bookingId) && COUNT.test(n) ? { bookingId, n: Number(n) } : { bookingId: '', n: 0 };
};

const refundedOf = (charge: Stripe.PaymentIntent['latest_charge']): number | undefined => {
  if (charge === null) return 0;
  return typeof charge === 'string' ? undefined : charge.amount_refunded;
};

const chargedAtOf = (charge: Stripe.PaymentIntent['latest_charge']): Date | undefined =>
  charge === null || typeof charge === 'string' ? undefined : new Date(charge.created * 1000);

const cardOf = (charge: Stripe.PaymentIntent['latest_charge']): IntentFacts['card'] => {
  const card = charge === null || typeof charge === 'string' ? undefined : charge.payment_method_details?.card;
  return card?.fingerprint == null ? undefined : { fingerprint: card.fingerprint, last4: card.last4 ?? '' };
};

const factsOf = (intent: Stripe.PaymentIntent): IntentFacts => ({
  id: intent.id,
  status: intent.status,
  amountCents: intent.amount,
  currency: intent.currency,
  clientSecret: intent.client_secret ?? '',
  ...oursIn(intent.metadata),
  refundedCents: refundedOf(intent.latest_charge),
  refunds: refundedOf(intent.latest_charge) === 0 ? [] : undefined,
  chargedAt: chargedAtOf(intent.latest_charge),
  chargeId: idOf(intent.latest_charge),
  card: cardOf(intent.latest_charge),
});

const DISPUTE_STATES: Partial<Record<Stripe.Dispute.Status, 'won' | 'lost'>> = {
  won: 'won',
  // an inquiry that came to nothing, and one that was answered before it became a dispute
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
  // The shop appeals against a loss: the money is with the buyer until that is won.
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
};

const REFUND_STATES: Partial<Record<string, RefundFacts['state']>> = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
};

const refundOf = ({ id, status, amount, metadata }: Stripe.Refund): RefundFacts => {
  const { refund_id: refundId = '', n = '' } = metadata ?? {};
  return {
    id,
    amountCents: amount,
    // Asked and not known to have arrived: the bank has not taken it, or the shop's balance is short.
    state: REFUND_STATES[status ?? ''] ?? 'pending',
    ours: UUID.test(refundId) && COUNT.test(n) ? { refundId, n: Number(n) } : undefined,
  };
};

/** Seconds since 1970; null or 0 where there is nothing to answer by. */
const dueByOf = ({ due_by: seconds }: Stripe.Dispute.EvidenceDetails): Date | null =>
  seconds === null || seconds === 0 ? null : new Date(seconds * 1000);

const disputeOf = (dispute: Stripe.Dispute): DisputeFacts => ({
  id: dispute.id,
  intentId: idOf(dispute.payment_intent) ?? '',
  amountCents: dispute.amount,
  reason: dispute.reason,
  state: DISPUTE_STATES[dispute.status] ?? 'open',
  isInquiry: dispute.status.startsWith('warning_') || dispute.status === 'prevented',
  dueBy: dueByOf(dispute.evidence_details),
  feeCents: dispute.balance_transactions.reduce((sum, { fee }) => sum + fee, 0),
});

const EXPANDED = { expand: ['latest_charge'] };

/** Stripe, through its own SDK; the stand-in is reached by the very same code. */
export const openStripe = (options: ProviderOptions) => {
  const client = openClient(options);
  const { stripe, ask } = client;
  const intentsSince = async function* (from: Date): AsyncGenerator<IntentFacts> {
    let after: string | undefined;
    do {
      const page: Stripe.ApiList<Stripe.PaymentIntent> = await ask(() =>
        stripe.paymentIntents.list({
          created: { gte: Math.floor(from.getTime() / 1000) },
          limit: LIST_LIMIT,
          expand: ['data.latest_charge'],
          ...(after !== undefined && { starting_after: after }),
        }),
      );
      yield* page.data.map(factsOf);
      after = page.has_more ? page.data.at(-1)?.id : undefined;
    } while (after !== undefined);
  };
  const refundsOf = async (intentId: string): Promise<RefundFacts[]> => {
    const refunds: RefundFacts[] = [];
    let after: string | undefined;
    do {
      const page: Stripe.ApiList<Stripe.Refund> = await ask(() =>
        stripe.refunds.list({
          payment_intent: intentId,
          limit: LIST_LIMIT,
          ...(after !== undefined && { starting_after: after }),
        }),
      );
      refunds.push(...page.data.map(refundOf));
      after = page.has_more ? page.data.at(-1)?.id : undefined;
    } while (after !== undefined);
    return refunds;
  };
  const read = async (id: string): Promise<IntentFacts> => {
    const facts = factsOf(await ask(() => stripe.paymentIntents.retrieve(id, EXPANDED)));
    return facts.refunds === undefined ? { ...facts, refunds: await refundsOf(id) } : facts;
  };
  return {
    /** Makes the n-th intent of a booking; repeated with the same n it answers the same intent. */
    createIntent: async (intent: NewIntent): Promise<IntentFacts> =>
      factsOf(
        await ask(() =>
          stripe.paymentIntents.create(
            {
              amount: intent.amountCents,
              currency: 'usd',
              // Cards and what settles like them: nothing that leaves the page
              automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
              receipt_email: intent.email,
              metadata: { booking_id: intent.bookingId, n: String(intent.n) },
              ...(intent.checkoutId !== intent.bookingId && { transfer_group: intent.checkoutId }),
            },
            { idempotencyKey: `pi:${intent.checkoutId}:${intent.n}` },
          ),
        ),
      ),

    /** The n-th intent of a booking where `createIntent` broke off; undefined when it was not made. */
    findMadeIntent: async (intent: NewIntent): Promise<IntentFacts | undefined> => {
      const from = new Date(intent.writtenAt.getTime() - CLOCK_MARGIN_MS);
      for await (const facts of intentsSince(from)) {
        if (facts.bookingId === intent.bookingId && facts.n === intent.n) return facts;
      }
      return undefined;
    },

    /** The intent as it is now; undefined when the provider knows none by this id. */
    findIntent: async (id: string): Promise<IntentFacts | undefined> => {
      try {
        return await read(id);
      } catch (error) {
        if (isResourceMissing(error)) return undefined;
        throw error;
      }
    },

    /** Every refund of an intent, done or not. */
    findRefunds: refundsOf,

    /** Asks for cancellation and answers what the intent is afterwards: cancelled, or what kept it from being so. */
    cancelIntent: async (id: string): Promise<IntentFacts> => {
      try {
        return factsOf(await ask(() => stripe.paymentIntents.cancel(id)));
      } catch (error) {
        // It cannot be cancelled, or something broke on the way: what it is now is the answer.
        if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof ProviderFailed)
          return read(id);
        throw error;
      }
    },

    /** All intents made since `from`, those of other shops on the account too, the newest first. */
    listIntents: intentsSince,

    /** All disputes opened since `from`, the newest first. */
    listDisputes: async function* (from: Date): AsyncGenerator<DisputeFacts> {
      let after: string | undefined;
      do {
        const page: Stripe.ApiList<Stripe.Dispute> = await ask(() =>
          stripe.disputes.list({
            created: { gte: Math.floor(from.getTime() / 1000) },
            limit: LIST_LIMIT,
            ...(after !== undefined && { starting_after: after }),
          }),
        );
        yield* page.data.map(disputeOf);
        after = page.has_more ? page.data.at(-1)?.id : undefined;
      } while (after !== undefined);
    },

    /**
     * Gives back a part of a payment, once however often it is asked; throws `ProviderRefused` when it will not. Its
     * refusal is repeated to the same key, whatever has changed meanwhile: the next try has another `n`.
     */
    refund: async ({ id, intentId, n, amountCents }: RefundToSend): Promise<RefundFacts> => {
      try {
        const idempotencyKey = n === 1 ? `refund:${intentId}` : `refund:${intentId}:${n}`;
        const part = amountCents !== null && { amount: amountCents, metadata: { refund_id: id, n: String(n) } };
        return refundOf(
          await ask(() => stripe.refunds.create({ payment_intent: intentId, ...part }, { idempotencyKey })),
        );
      } catch (error) {
        const isDone = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === ALREADY_REFUNDED;
        const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError;
        if (!isRefused && !(error instanceof ProviderFailed)) throw error;
        // Given back before, or broken off on the way: what it lists tells.
        const made = (await refundsOf(intentId)).filter(({ ours }) =>
          amountCents === null ? isDone : ours?.refundId === id && ours.n === n,
        );
        const [first] = made;
        if (first !== undefined) return first;
        if (isRefused) throw new ProviderRefused(error.message);
        throw error;
      }
    },

    /** The dispute as it is now; undefined when the provider knows none by this id. */
    findDispute: async (id: string): Promise<DisputeFacts | undefined> => {
      try {
        return disputeOf(await ask(() => stripe.disputes.retrieve(id)));
      } catch (error) {
        if (isResourceMissing(error)) return undefined;
        throw error;
      }
    },

    /** What sellers are paid out with. */
    connect: openConnect(client),

    readEvent: eventReader(stripe, options),
  };
};

export type PaymentProvider = ReturnType<typeof openStripe>;
