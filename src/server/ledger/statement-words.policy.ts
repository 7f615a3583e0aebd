import { dollarsOf, formatDollars } from '#contract/money/money.ts';
import type { StatementKind } from '#contract/money/ledger.ts';

interface Facts {
  readonly kind: StatementKind;
  readonly title: string;
  readonly amountCents: number;
  readonly priceCents: number;
  readonly feeCents: number;
  readonly commissionCents: number;
  readonly bearsFee: boolean;
  readonly reason: string;
}

const money = (cents: number): string => formatDollars(dollarsOf(cents));

const saleWords = ({ title, amountCents, priceCents, feeCents, commissionCents }: Facts): string => {
  const kept = [
    ...(feeCents === 0 ? [] : [`the payment provider keeps ${money(feeCents)}`]),
    ...(commissionCents === 0 ? [] : [`the shop’s commission is ${money(commissionCents)}`]),
  ];
  const sold = `“${title}” was sold for ${money(priceCents)}`;
  if (kept.length === 0) return `${sold}; all of it is yours.`;
  return `${sold}: ${kept.join(', ')}, ${money(amountCents)} is yours.`;
};

const refundWords = (given: string, { feeCents, bearsFee }: Facts): string => {
  if (!bearsFee) return `${given}, so your share of it is taken back.`;
  const fee = feeCents === 0 ? 'the payment fee on it' : `the payment fee of ${money(feeCents)}`;
  return `${given}: your share of it is taken back, and you bear ${fee}, which the payment provider keeps.`;
};

/** A row of a statement in a sentence for its seller. */
export const wordsOf = (facts: Facts): string => {
  const { kind, title } = facts;
  switch (kind) {
    case 'sale':
      return saleWords(facts);
    case 'postage':
      return `The buyer of “${title}” paid ${money(facts.priceCents)} postage: the payment provider keeps ${money(facts.feeCents)} of it, the rest is yours.`;
    case 'release':
      return `The order of “${title}” is closed: ${money(facts.priceCents)} of it is due to you now.`;
    case 'part-refund':
      return refundWords(`A part of what was paid for “${title}” was given back to its buyer`, facts);
    case 'refund':
      return refundWords(`The sale of “${title}” was refunded to its buyer`, facts);
    case 'dispute-opened':
      return `The buyer’s bank disputes the payment for “${title}”: your share is set aside until that is decided.`;
    case 'dispute-won':
      return `The dispute about “${title}” was decided in your favour: your share is back.`;
    case 'dispute-lost':
      return `The dispute about “${title}” was lost: the bank gave the money back to the buyer, and the share that was set aside is gone.`;
    case 'payout':
      return title === ''
        ? `${money(facts.priceCents)} that you were due is paid out to you.`
        : `${money(facts.priceCents)} for “${title}” is paid out to you.`;
    case 'payout-refused':
      return `A payout of ${money(facts.priceCents)} could not be made: it is due to you as before, and tried again.`;
    case 'payout-reversed':
      return `${money(facts.priceCents)} that was paid out to you for “${title}” was taken back, as its buyer got money back.`;
    case 'payout-returned':
      return `Your bank sent a payout of ${money(facts.priceCents)} back: it is due to you again.`;
    case 'adjustment':
      return `An admin of the shop has corrected what you are due${facts.reason === '' ? '' : `: ${facts.reason.replace(/\.$/, '')}`}.`;
    default:
      return kind satisfies never;
  }
};
