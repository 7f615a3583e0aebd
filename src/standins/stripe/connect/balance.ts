import type Stripe from 'stripe';
import type { Call, Deed } from '#standins/stripe/api/call.ts';
import { noSuch } from '#standins/stripe/api/failure.ts';
import { listPage } from '#standins/stripe/api/lists.ts';
import { onlyKnown, text } from '#standins/stripe/api/params.ts';
import { balanceOf, book, pendingIn, PLATFORM, shown } from './books.ts';

const KNOWN: ReadonlySet<string> = new Set(['expand']);
const KNOWN_TO_LIST: ReadonlySet<string> = new Set([
  'created',
  'currency',
  'ending_before',
  'expand',
  'limit',
  'payout',
  'source',
  'starting_after',
  'type',
]);

/** Whose balance a call is about. */
export function ownerOf({ account }: Pick<Call, 'account'>): string {
  return account ?? PLATFORM;
}

/** A balance with every key Stripe sends. */
export function newBalance(available: number, pending: number, owner: string): Stripe.Balance {
  return {
    object: 'balance',
    available: [{ amount: available, currency: 'usd', source_types: { card: available } }],
    ...(owner === PLATFORM && { connect_reserved: [{ amount: 0, currency: 'usd' }] }),
    livemode: false,
    pending: [{ amount: pending, currency: 'usd', source_types: { card: pending } }],
  };
}

export function retrieveBalance(call: Call): object {
  onlyKnown(call.params, KNOWN);
  const owner = ownerOf(call);
  const balance = balanceOf(call.trx, owner);
  return newBalance(balance.available, pendingIn(balance), owner);
}

export function retrieveBalanceTransaction(call: Call): object {
  const row = call.trx.get('balance_transactions', call.id);
  if (row === undefined || row.owner !== ownerOf(call)) throw noSuch('balance transaction', call.id);
  return shown(call.trx, row.transaction);
}

export function listBalanceTransactions(call: Call): object {
  const { params, trx } = call;
  onlyKnown(params, KNOWN_TO_LIST);
  const owner = ownerOf(call);
  const type = text(params, 'type');
  const source = text(params, 'source');
  const rows = trx
    .newestFirst('balance_transactions')
    .filter((row) => row.owner === owner)
    .map(({ transaction }) => shown(trx, transaction))
    .filter((row) => type === undefined || row.type === type)
    .filter((row) => source === undefined || row.source === source);
  return listPage(rows, params, '/v1/balance_transactions', 'balance transaction');
}

/**
 * What the shop, or a seller's account, has at hand becomes so much, as if the rest had been paid out, or money had
 * been put in. An account below zero owes the difference to the provider.
 */
export function setAvailable(deed: Deed, cents: number, owner = PLATFORM): Stripe.Balance {
  if (owner !== PLATFORM && deed.trx.get('accounts', owner) === undefined) throw noSuch('account', owner);
  const { available } = balanceOf(deed.trx, owner);
  if (available !== cents) {
    const sent = cents < available ? 'payout' : 'topup';
    const type = owner === PLATFORM ? sent : 'adjustment';
    book(deed, owner, { amount: cents - available, type, source: 'standin' });
  }
  const after = balanceOf(deed.trx, owner);
  return newBalance(after.available, pendingIn(after), owner);
}
