import type Stripe from 'stripe';
import type { Call } from '#standins/stripe/api/call.ts';
import { invalidRequest, missingParam, noSuch, StripeFailure } from '#standins/stripe/api/failure.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import { integer, mergedMetadata, oneOf, onlyKnown, requiredText, text } from '#standins/stripe/api/params.ts';
import { emit } from '#standins/stripe/store/events.ts';
import { availableOn, balanceOf, book, pendingIn, PLATFORM } from './books.ts';
import { moneyNow } from './money-clock.ts';
import { newReversal, newTransfer } from './transfer-object.ts';

const KNOWN: ReadonlySet<string> = new Set([
  'amount',
  'currency',
  'description',
  'destination',
  'expand',
  'metadata',
  'source_transaction',
  'source_type',
  'transfer_group',
]);
const KNOWN_TO_REVERSE: ReadonlySet<string> = new Set(['amount', 'description', 'expand', 'metadata']);
const KNOWN_TO_LIST: ReadonlySet<string> = new Set([
  'created',
  'destination',
  'ending_before',
  'expand',
  'limit',
  'starting_after',
  'transfer_group',
]);
/** As many reversals as a transfer shows beneath it. */
const SHOWN_REVERSALS = 10;

/** An outcome of its own: kept under the key of the call, which repeats it. */
function refused(code: string | undefined, message: string, param?: string): StripeFailure {
  const more = { ...(code !== undefined && { code }), ...(param !== undefined && { param }) };
  return new StripeFailure(400, { type: 'invalid_request_error', message, ...more }, true);
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

function positiveIn(params: Call['params']): number | undefined {
  const amount = integer(params, 'amount');
  if (amount !== undefined && amount < 1) {
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  }
  return amount;
}

/** The payment a transfer is taken from; null where it is taken from what is available. */
function sourceOf({ trx, params }: Call, amount: number, currency: string): Stripe.Charge | null {
  const id = text(params, 'source_transaction');
  if (id === undefined) return null;
  const charge = trx.get('charges', id);
  if (charge === undefined) throw noSuch('charge', id, 'source_transaction');
  if (!charge.paid) throw refused(undefined, `Charge ${id} has not been paid.`, 'source_transaction');
  if (charge.currency !== currency) {
    const message = `The currency of source_transaction's balance transaction (${charge.currency}) must be the same as the transfer currency (${currency})`;
    throw refused(undefined, message, 'currency');
  }
  const taken = trx
    .newestFirst('transfers')
    .filter((transfer) => transfer.source_transaction === id)
    .reduce((sum, transfer) => sum + transfer.amount, 0);
  if (amount > charge.amount - taken) {
    const message = `The transfer amount (${dollars(amount)}) is greater than what is left of the source_transaction (${dollars(charge.amount - taken)}).`;
    throw refused('transfer_source_balance_parameters_mismatch', message, 'amount');
  }
  return charge;
}

function mustBeAvailable({ trx }: Call, amount: number, currency: string): void {
  const { available } = balanceOf(trx, PLATFORM);
  if (currency === 'usd' && amount <= available) return;
  const message =
    'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See: https://stripe.com/docs/testing#available-balance';
  throw refused('balance_insufficient', message);
}

/** `POST /v1/transfers`: money of the shop goes to a connected account, from what is available or from a payment. */
export function createTransfer(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN);
  const destination = requiredText(params, 'destination');
  const currency = requiredText(params, 'currency').toLowerCase();
  const amount = positiveIn(params);
  if (amount === undefined) throw missingParam('amount');
  oneOf(params, 'source_type', ['card']);
  const row = trx.get('accounts', destination);
  if (row === undefined) {
    const message = `No such destination: '${destination.slice(0, 100)}'`;
    throw invalidRequest(message, { code: 'resource_missing', param: 'destination' });
  }
  if (row.state !== 'active') {
    const message =
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments';
    throw refused('insufficient_capabilities_for_transfer', message);
  }
  const source = sourceOf(call, amount, currency);
  if (source === null) mustBeAvailable(call, amount, currency);
  const draft = newTransfer({
    amount,
    currency,
    description: text(params, 'description') ?? null,
    destination,
    metadata: mergedMetadata(params),
    sourceTransaction: source?.id ?? null,
    transferGroup: text(params, 'transfer_group') ?? source?.transfer_group ?? null,
    created: moneyNow(trx),
  });
  // Taken from a payment, it waits for it on both sides.
  const due =
    typeof source?.balance_transaction === 'string' ? availableOn(call, source.balance_transaction) : undefined;
  const when = due === undefined ? {} : { availableOn: due };
  const out = book(call, PLATFORM, { amount: -amount, type: 'transfer', source: draft.id, ...when });
  book(call, destination, { amount, type: 'payment', source: String(draft.destination_payment), ...when });
  const transfer: Stripe.Transfer = { ...draft, balance_transaction: out.id };
  trx.put('transfers', transfer.id, transfer);
  emit(call, 'transfer.created', transfer);
  return transfer;
}

/** A transfer as it is told, with its reversals beneath it. */
function withReversals({ trx }: Pick<Call, 'trx'>, transfer: Stripe.Transfer): Stripe.Transfer {
  const all = trx.newestFirst('transfer_reversals').filter((reversal) => reversal.transfer === transfer.id);
  const data = all.slice(0, SHOWN_REVERSALS);
  return { ...transfer, reversals: { ...transfer.reversals, data, has_more: all.length > data.length } };
}

function transferOf({ trx, id }: Call): Stripe.Transfer {
  const transfer = trx.get('transfers', id);
  if (transfer === undefined) throw noSuch('transfer', id);
  return transfer;
}

/** `POST /v1/transfers/:id/reversals`: money comes back, as far as the account still has it. */
export function createReversal(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_TO_REVERSE);
  const before = transferOf(call);
  const left = before.amount - before.amount_reversed;
  if (left === 0) throw refused(undefined, `Transfer ${before.id} is already fully reversed.`);
  const amount = positiveIn(params) ?? left;
  if (amount > left) {
    const message = `Reversal amount (${dollars(amount)}) is greater than unreversed amount on transfer (${dollars(left)})`;
    throw refused(undefined, message, 'amount');
  }
  const owner = String(before.destination);
  const balance = balanceOf(trx, owner);
  const held = balance.available + pendingIn(balance);
  if (amount > held) {
    const message = `Insufficient funds in the connected account ${owner} to reverse ${dollars(amount)}.`;
    throw refused('balance_insufficient', message);
  }
  const draft = newReversal(before, amount, mergedMetadata(params), moneyNow(trx));
  // What still waits for its payment is given back out of what waits.
  const latest = Math.max(...Object.keys(balance.waiting).map(Number));
  const when = amount > balance.available && Number.isFinite(latest) ? { availableOn: latest } : {};
  book(call, owner, {
    amount: -amount,
    type: 'payment_refund',
    source: String(draft.destination_payment_refund),
    ...when,
  });
  const back = book(call, PLATFORM, { amount, type: 'transfer_refund', source: draft.id, ...when });
  const reversal: Stripe.TransferReversal = { ...draft, balance_transaction: back.id };
  const after = { ...before, amount_reversed: before.amount_reversed + amount, reversed: amount === left };
  trx.put('transfer_reversals', reversal.id, reversal);
  trx.put('transfers', after.id, after);
  emit(call, 'transfer.reversed', withReversals(call, after));
  return reversal;
}

export function retrieveTransfer(call: Call): object {
  return withReversals(call, transferOf(call));
}

export function listTransfers(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_TO_LIST);
  const group = text(params, 'transfer_group');
  const destination = text(params, 'destination');
  const rows = trx
    .newestFirst('transfers')
    .filter((row) => group === undefined || row.transfer_group === group)
    .filter((row) => destination === undefined || row.destination === destination);
  const page = listPage(rows, params, '/v1/transfers', 'transfer');
  return { ...page, data: page.data.map((transfer) => withReversals(call, transfer)) };
}

export function listReversals(call: Call): object {
  const { id } = transferOf(call);
  const rows = call.trx.newestFirst('transfer_reversals').filter((reversal) => reversal.transfer === id);
  return listPage(rows, call.params, `/v1/transfers/${id}/reversals`, 'transfer_reversal');
}
