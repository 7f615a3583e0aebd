import type Stripe from 'stripe';
import { newId } from '#standins/stripe/api/ids.ts';

/** What a new transfer is made of. */
export interface TransferDraft {
  amount: number;
  currency: string;
  description: string | null;
  destination: string;
  metadata: Record<string, string>;
  sourceTransaction: string | null;
  transferGroup: string | null;
  created: number;
}

/** A transfer with every key Stripe sends. */
export function newTransfer(draft: TransferDraft): Stripe.Transfer {
  const id = newId('tr');
  return {
    id,
    object: 'transfer',
    amount: draft.amount,
    amount_reversed: 0,
    balance_transaction: null,
    created: draft.created,
    currency: draft.currency,
    description: draft.description,
    destination: draft.destination,
    destination_payment: newId('py'),
    livemode: false,
    metadata: draft.metadata,
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: draft.sourceTransaction,
    source_type: 'card',
    transfer_group: draft.transferGroup,
  };
}

/** A reversal with every key Stripe sends. */
export function newReversal(
  transfer: Stripe.Transfer,
  amount: number,
  metadata: Record<string, string>,
  created: number,
): Stripe.TransferReversal {
  return {
    id: newId('trr'),
    object: 'transfer_reversal',
    amount,
    balance_transaction: null,
    created,
    currency: transfer.currency,
    destination_payment_refund: newId('pyr'),
    metadata,
    source_refund: null,
    transfer: transfer.id,
  };
}
