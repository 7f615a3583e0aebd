import type Stripe from 'stripe';
import type { Call, Deed } from '#standins/stripe/api/call.ts';
import { bookDispute } from '#standins/stripe/connect/books.ts';
import { newDispute } from './dispute-object.ts';
import { emit } from '#standins/stripe/store/events.ts';
import { invalidRequest, noSuch, StripeFailure } from '#standins/stripe/api/failure.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import { flag, mergedMetadata, nested, onlyKnown, text } from '#standins/stripe/api/params.ts';
import type { DisputeReason } from '#standins/stripe/store/tables.ts';

const KNOWN_TO_UPDATE: ReadonlySet<string> = new Set(['evidence', 'expand', 'metadata', 'submit']);
const OPEN: readonly string[] = ['needs_response', 'under_review'];
/** What Stripe's documentation has a test shop send as evidence, and what comes of it at once. */
const DECISIVE_EVIDENCE: ReadonlyMap<string, 'lost' | 'won'> = new Map([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
]);

/** The owner of the card wants the money of a charge back, and the bank takes it for now. */
export function openDispute(deed: Deed, charge: Stripe.Charge, reason: DisputeReason, amount?: number): Stripe.Dispute {
  const opened = newDispute(charge, reason, amount);
  const dispute: Stripe.Dispute = { ...opened, balance_transactions: [bookDispute(deed, opened, 'taken')] };
  deed.trx.put('disputes', dispute.id, dispute);
  deed.trx.put('charges', charge.id, { ...charge, disputed: true });
  emit(deed, 'charge.dispute.created', dispute);
  emit(deed, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The bank decides: the money comes back to the shop, or stays with the card's owner. */
export function decideDispute(deed: Deed, before: Stripe.Dispute, status: 'lost' | 'won'): Stripe.Dispute {
  const back = status === 'won' ? [bookDispute(deed, before, 'given-back')] : [];
  const dispute: Stripe.Dispute = {
    ...before,
    balance_transactions: [...before.balance_transactions, ...back],
    status,
  };
  deed.trx.put('disputes', dispute.id, dispute);
  if (status === 'won') emit(deed, 'charge.dispute.funds_reinstated', dispute);
  emit(deed, 'charge.dispute.closed', dispute);
  return dispute;
}

/**
 * A dispute that was lost goes to a higher instance, which looks at it and gives the shop its money, or does not. No
 * second loss is told of: what was lost stays lost.
 */
export function appealDispute(deed: Deed, id: string, status: 'appeal_under_review' | 'lost' | 'won'): Stripe.Dispute {
  const before = disputeOf(deed, id);
  if (before.status !== 'lost' && before.status !== 'appeal_under_review') {
    const message = 'Only a dispute that was lost can be appealed.';
    throw new StripeFailure(400, { type: 'invalid_request_error', message }, true);
  }
  if (status === 'won') return decideDispute(deed, before, status);
  const dispute: Stripe.Dispute = { ...before, status };
  deed.trx.put('disputes', id, dispute);
  emit(deed, 'charge.dispute.updated', dispute);
  return dispute;
}

/** The dispute of this id; throws 404 when there is none. */
export function disputeOf({ trx }: Pick<Deed, 'trx'>, id: string): Stripe.Dispute {
  const dispute = trx.get('disputes', id);
  if (dispute === undefined) throw noSuch('dispute', id);
  return dispute;
}

/** Refuses what is decided already. */
export function mustBeOpen(dispute: Stripe.Dispute): void {
  if (OPEN.includes(dispute.status)) return;
  throw new StripeFailure(
    400,
    { type: 'invalid_request_error', message: 'This dispute is already closed', param: 'id' },
    true,
  );
}

export function retrieveDispute(call: Call): object {
  return disputeOf(call, call.id);
}

/** `POST /v1/disputes/:id`: keeps the evidence and, unless `submit` is false, hands it to the bank. */
export function updateDispute(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_TO_UPDATE);
  const before = disputeOf(call, call.id);
  mustBeOpen(before);
  const evidence = readEvidence(call, before.evidence);
  const given = nested(params, 'evidence') !== undefined;
  const submits = flag(params, 'submit') ?? given;
  const { evidence_details: details } = before;
  const dispute: Stripe.Dispute = {
    ...before,
    evidence,
    evidence_details: {
      ...details,
      has_evidence: details.has_evidence || given,
      submission_count: details.submission_count + (submits ? 1 : 0),
    },
    metadata: mergedMetadata(params, before.metadata),
    status: submits ? 'under_review' : before.status,
  };
  trx.put('disputes', dispute.id, dispute);
  emit(call, 'charge.dispute.updated', dispute);
  const verdict = submits ? DECISIVE_EVIDENCE.get(evidence.uncategorized_text ?? '') : undefined;
  return verdict === undefined ? dispute : decideDispute(call, dispute, verdict);
}

function readEvidence({ params }: Call, before: Stripe.Dispute.Evidence): Stripe.Dispute.Evidence {
  const given = nested(params, 'evidence') ?? {};
  const known = Object.keys(before).filter((key) => key !== 'enhanced_evidence');
  for (const key of Object.keys(given)) {
    if (!known.includes(key)) {
      const param = `evidence[${key}]`;
      throw invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
    }
  }
  const read = Object.keys(given).map((key) => [key, text(given, key, `evidence[${key}]`) ?? null]);
  return { ...before, ...Object.fromEntries(read) };
}

/** `POST /v1/disputes/:id/close`: the shop gives in. */
export function closeDispute(call: Call): object {
  const dispute = disputeOf(call, call.id);
  mustBeOpen(dispute);
  return decideDispute(call, dispute, 'lost');
}

export function listDisputes({ trx, params }: Call): object {
  const intentId = text(params, 'payment_intent');
  const chargeId = text(params, 'charge');
  const rows = trx
    .newestFirst('disputes')
    .filter((row) => intentId === undefined || row.payment_intent === intentId)
    .filter((row) => chargeId === undefined || row.charge === chargeId);
  return listPage(rows, params, '/v1/disputes', 'dispute');
}
