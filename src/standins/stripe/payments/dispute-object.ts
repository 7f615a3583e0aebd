import type Stripe from 'stripe';
import { newId, nowSeconds } from '#standins/stripe/api/ids.ts';
import type { DisputeReason } from '#standins/stripe/store/tables.ts';

/** Visa's codes for what a card's owner says. */
const NETWORK_REASONS: Record<DisputeReason, string> = { fraudulent: '10.4', product_not_received: '13.1' };
const DAY_SECONDS = 24 * 60 * 60;
/** How long the shop may answer a dispute. */
const ANSWER_DAYS = 9;

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

/** The end of the day until which a dispute opened now may be answered. */
function dueBy(): number {
  const end = nowSeconds() + (ANSWER_DAYS + 1) * DAY_SECONDS;
  return end - (end % DAY_SECONDS) - 1;
}

/** A dispute of a charge, or of a part of it, in its first state, with every key Stripe sends. */
export function newDispute(charge: Stripe.Charge, reason: DisputeReason, amount = charge.amount): Stripe.Dispute {
  const brand = charge.payment_method_details?.card?.brand ?? 'visa';
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: nowSeconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: dueBy(),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'manual',
    },
    intended_submission_method: 'manual',
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand, case_type: 'chargeback', network: brand, network_reason_code: NETWORK_REASONS[reason] },
      type: 'card',
    },
    reason,
    status: 'needs_response',
  };
}
