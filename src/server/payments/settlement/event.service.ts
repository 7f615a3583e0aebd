import { findBooking } from '#server/bookings/booking.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { pipelineTransaction } from '#server/platform/postgres/query.ts';
import { takeDispute, type DisputeTaken } from '#server/payments/disputes/dispute.service.ts';
import { insertEvent, lookUpEvent, type EventOutcome } from './event.queries.ts';
import { takeFailure } from '#server/payments/intents/failure.service.ts';
import { tellOfStray } from '#server/payments/intents/payment.service.ts';
import { askAboutAccount, findSellerOf } from '#server/payments/payouts/payout-account.queries.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';
import type { DisputeFacts, IntentFacts, ProviderEvent } from '#server/payments/provider.ts';
import { takeFacts, type Taken } from './settle.service.ts';

/** Events that may mean something for us; others are noted and let go. */
const HANDLED: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.failed',
  'refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
]);

/** What the provider says now of what an event speaks of. */
interface News {
  readonly outcome: EventOutcome;
  readonly facts?: IntentFacts | undefined;
  readonly dispute?: DisputeFacts | undefined;
  /** A seller's account of ours. */
  readonly accountId?: string;
}

/** Asks the provider, whatever the event says: events come late, twice and in any order. */
const ask = async ({ db, provider }: PaymentDeps, event: ProviderEvent): Promise<News> => {
  const { accountId } = event;
  if (accountId !== undefined && !event.isOfOtherMode) {
    return (await findSellerOf(db, accountId)) === undefined
      ? { outcome: 'not-ours' }
      : { outcome: 'acted', accountId };
  }
  if (event.isOfOtherMode || !HANDLED.has(event.type) || event.intentId === undefined) return { outcome: 'ignored' };
  const facts = await provider.findIntent(event.intentId);
  if (facts === undefined || facts.bookingId === '' || (await findBooking(db, facts.bookingId)) === undefined) {
    return { outcome: 'not-ours' };
  }
  // A refund that failed is none of what an intent's charge adds up.
  const refunds = event.type.startsWith('refund.') ? await provider.findRefunds(facts.id) : facts.refunds;
  const dispute = event.disputeId === undefined ? undefined : await provider.findDispute(event.disputeId);
  return { outcome: 'acted', facts: { ...facts, refunds }, dispute };
};

interface Done {
  readonly taken?: Taken;
  readonly dispute?: DisputeTaken;
}

const act = async (trx: Trx, deps: PaymentDeps, event: ProviderEvent, news: News): Promise<Done> => {
  const { facts } = news;
  // What it is now is asked by the payouts' own job, at once.
  if (news.accountId !== undefined) await askAboutAccount(trx, news.accountId);
  if (facts === undefined) return {};
  const taken = await takeFacts(trx, facts, deps);
  if (event.type === 'payment_intent.payment_failed') await takeFailure(trx, event.id, facts);
  if (news.dispute === undefined) return { taken };
  return { taken, dispute: await takeDispute(trx, news.dispute, deps.hooks) };
};

/**
 * Acts on an event of the provider: asks what it speaks of is now, and stores the event's id in the transaction of the
 * effect. Any order, any number of times; of two deliveries at once one waits for the other.
 */
export const receiveEvent = async (deps: PaymentDeps, event: ProviderEvent): Promise<void> => {
  const { isKnown, now: receivedAt } = await lookUpEvent(deps.db, event.id);
  if (isKnown) return;
  const news = await ask(deps, event);
  const done = await pipelineTransaction(deps.db, async (trx): Promise<Done> => {
    const { id, type } = event;
    if (!(await insertEvent(trx, { id, type, receivedAt, outcome: news.outcome }))) return {};
    const effect = await act(trx, deps, event, news);
    crashPoint('webhook-before-commit');
    return effect;
  });
  crashPoint('webhook-committed');
  if (news.facts === undefined) return;
  if (done.taken !== undefined && done.taken.kind !== 'noted') tellOfStray(deps, done.taken, news.facts);
  if (done.dispute === 'opened' || done.dispute === 'lost') {
    deps.alert(`a dispute was ${done.dispute}`, { intentId: news.facts.id, disputeId: event.disputeId });
  }
  if (event.type === 'refund.failed') deps.alert('a refund failed', { intentId: news.facts.id });
};
