import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import type { PayoutRequirement } from '#contract/money/payouts.ts';
import type { BankPayoutRow } from './bank-payout.queries.ts';
import type { PayoutAccountStatus, PayoutState } from './payouts.table.ts';

const money = (cents: number): string => formatDollars(dollarsOf(cents));

/** What the state of an account means, in a sentence for its seller. */
export const accountWords = (status: PayoutAccountStatus, requirements: readonly PayoutRequirement[]): string => {
  switch (status) {
    case 'none':
      return 'The payment service does not know yet where to send your money.';
    case 'pending':
      return requirements.some(({ isYours }) => isYours)
        ? 'The payment service needs more from you before it can send your money.'
        : 'The payment service is checking your details.';
    case 'active':
      return 'What you are due is paid out by itself once an order is closed, and reaches your bank once a week.';
    case 'restricted':
      return 'The payment service sends you no money until you have given it what it asks for. What you are due waits.';
    default:
      return status satisfies never;
  }
};

/** As `accountWords`, where the shop pays by hand. */
export const byHandWords = (status: PayoutAccountStatus, locked: string | null): string => {
  switch (status) {
    case 'none':
      return 'The shop does not know yet where to send your money.';
    case 'pending':
      return 'Your bank details are new: to be safe, nothing is paid to them for a while. What you are due waits.';
    case 'active':
      return 'What you are due is sent to your bank account by the shop.';
    case 'restricted':
      return `Your bank sent a payout back (${locked ?? 'it gave no reason'}). Nothing is sent before you have entered your bank details anew.`;
    default:
      return status satisfies never;
  }
};

/** As `accountWords`, where the shop pays nobody out. */
export const NO_PAYOUTS = 'This shop pays nothing out at the moment. What you are due stays yours.';

/** What became of a payout by hand, in a sentence for its seller. */
const handPayoutWords = (state: PayoutState, reason: string): string => {
  switch (state) {
    case 'asked':
      return 'The shop is sending it to your bank account.';
    case 'sent':
      return 'The shop has sent it to your bank account.';
    case 'refused':
      return `It was called off (${reason}); it is due as before.`;
    case 'returned':
      return `Your bank sent it back (${reason}); it is due again.`;
    default:
      return state satisfies never;
  }
};

/** What became of a payout, in a sentence for its seller. */
export const payoutWords = (payout: {
  readonly way: 'connect' | 'manual';
  readonly state: PayoutState;
  readonly cents: number;
  readonly reversedCents: number;
  readonly refusal: string | null;
}): string => {
  if (payout.way === 'manual') return handPayoutWords(payout.state, payout.refusal ?? 'no reason was given');
  switch (payout.state) {
    case 'asked':
      return 'It is being sent.';
    case 'sent':
      return payout.reversedCents === 0
        ? 'It was sent to your account at the payment service.'
        : `It was sent to your account at the payment service; ${money(payout.reversedCents)} of it was taken back, as the buyer got money back.`;
    case 'refused':
      return `It could not be sent (${payout.refusal ?? 'no reason was given'}); it is due as before, and tried again.`;
    case 'returned':
      return 'Your bank sent it back; it is due again.';
    default:
      return payout.state satisfies never;
  }
};

/** What became of money on its way to a seller's bank. `paid` is what the provider says and may turn out otherwise. */
export const bankWords = ({ status, failure, cents }: BankPayoutRow): string => {
  if (cents < 0) return 'The payment service took this from your bank, as your account there was below zero.';
  switch (status) {
    case 'pending':
    case 'in_transit':
      return 'It is on its way to your bank.';
    case 'paid':
      return 'It was sent to your bank, and should be there by about this day.';
    case 'failed':
      return `Your bank did not take it: ${failure ?? 'it gave no reason'}. It is in your account at the payment service, which sends it again once the bank details there are right.`;
    case 'canceled':
      return 'It was called off, and is in your account at the payment service.';
    default:
      return status satisfies never;
  }
};
