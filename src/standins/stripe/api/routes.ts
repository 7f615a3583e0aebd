import type { Handler } from './call.ts';
import {
  createAccount,
  createAccountLink,
  createLoginLink,
  retrieveAccount,
} from '#standins/stripe/connect/accounts.ts';
import {
  listBalanceTransactions,
  retrieveBalance,
  retrieveBalanceTransaction,
} from '#standins/stripe/connect/balance.ts';
import { listPayouts, retrievePayout } from '#standins/stripe/connect/bank-payouts.ts';
import { retrieveBalanceSettings, updateBalanceSettings } from '#standins/stripe/connect/schedule.ts';
import {
  createReversal,
  createTransfer,
  listReversals,
  listTransfers,
  retrieveTransfer,
} from '#standins/stripe/connect/transfers.ts';
import { listCharges, retrieveCharge } from '#standins/stripe/payments/charges.ts';
import { answerChallenge, cancelIntent, confirmIntent } from '#standins/stripe/cards/confirmation.ts';
import { closeDispute, listDisputes, retrieveDispute, updateDispute } from '#standins/stripe/payments/disputes.ts';
import { listEvents, retrieveEvent } from '#standins/stripe/store/events.ts';
import { createIntent, listIntents, retrieveIntent, updateIntent } from '#standins/stripe/payments/payment-intents.ts';
import { createPaymentMethod, createToken, retrievePaymentMethod } from '#standins/stripe/cards/payment-methods.ts';
import { createRefund, listRefunds, retrieveRefund } from '#standins/stripe/payments/refunds.ts';

interface Route {
  method: 'GET' | 'POST';
  path: string;
  handler: Handler;
  /** Whether a browser may ask, with the publishable key. */
  fromBrowser: boolean;
}

function route(method: Route['method'], path: string, handler: Handler, fromBrowser = false): Route {
  return { method, path, handler, fromBrowser };
}

const ROUTES: readonly Route[] = [
  route('POST', '/v1/payment_intents', createIntent),
  route('GET', '/v1/payment_intents', listIntents),
  route('GET', '/v1/payment_intents/:id', retrieveIntent, true),
  route('POST', '/v1/payment_intents/:id', updateIntent),
  route('POST', '/v1/payment_intents/:id/confirm', confirmIntent, true),
  route('POST', '/v1/payment_intents/:id/cancel', cancelIntent),
  route('POST', '/v1/3ds2/challenge', answerChallenge, true),
  route('POST', '/v1/payment_methods', createPaymentMethod, true),
  route('GET', '/v1/payment_methods/:id', retrievePaymentMethod),
  route('POST', '/v1/tokens', createToken, true),
  route('GET', '/v1/charges', listCharges),
  route('GET', '/v1/charges/:id', retrieveCharge),
  route('POST', '/v1/refunds', createRefund),
  route('GET', '/v1/refunds', listRefunds),
  route('GET', '/v1/refunds/:id', retrieveRefund),
  route('GET', '/v1/disputes', listDisputes),
  route('GET', '/v1/disputes/:id', retrieveDispute),
  route('POST', '/v1/disputes/:id', updateDispute),
  route('POST', '/v1/disputes/:id/close', closeDispute),
  route('POST', '/v2/core/accounts', createAccount),
  route('GET', '/v2/core/accounts/:id', retrieveAccount),
  route('POST', '/v2/core/account_links', createAccountLink),
  route('POST', '/v1/accounts/:id/login_links', createLoginLink),
  route('GET', '/v1/balance', retrieveBalance),
  route('GET', '/v1/balance_settings', retrieveBalanceSettings),
  route('POST', '/v1/balance_settings', updateBalanceSettings),
  route('GET', '/v1/balance_transactions', listBalanceTransactions),
  route('GET', '/v1/balance_transactions/:id', retrieveBalanceTransaction),
  route('POST', '/v1/transfers', createTransfer),
  route('GET', '/v1/transfers', listTransfers),
  route('GET', '/v1/transfers/:id', retrieveTransfer),
  route('POST', '/v1/transfers/:id/reversals', createReversal),
  route('GET', '/v1/transfers/:id/reversals', listReversals),
  route('GET', '/v1/payouts', listPayouts),
  route('GET', '/v1/payouts/:id', retrievePayout),
  route('GET', '/v1/events', listEvents),
  route('GET', '/v1/events/:id', retrieveEvent),
];

/** Finds who answers a call, and the id in its path. */
export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  const asked = path.split('/');
  for (const candidate of ROUTES) {
    const wanted = candidate.path.split('/');
    if (candidate.method !== method || wanted.length !== asked.length) continue;
    if (!wanted.every((segment, at) => segment === asked[at] || (segment === ':id' && asked[at] !== ''))) continue;
    return { route: candidate, id: asked[wanted.indexOf(':id')] ?? '' };
  }
  return undefined;
}
