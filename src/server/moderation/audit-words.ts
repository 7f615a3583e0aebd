import type { Audited } from '#contract/admin/audit.ts';
import { dollarsOf, formatDollars } from '#contract/money/money.ts';

/** What a sentence about a deed is made of. */
export interface DeedFacts {
  readonly action: string;
  /** Whom or what it was done to, by name. */
  readonly about: string;
  /** Who had bought it; null where it is about no booking. */
  readonly buyer: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const listings = (count: unknown): string => (count === 1 ? '1 listing' : `${Number(count)} listings`);

const sellers = (count: unknown): string => (count === 1 ? '1 seller' : `${Number(count)} sellers`);

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const refund = ({ about, buyer, details }: DeedFacts): string => {
  const cents = details['amountCents'];
  const amount = typeof cents === 'number' ? `${formatDollars(dollarsOf(cents))} ` : '';
  return `${amount}to ${buyer ?? 'its buyer'} for ${about}`;
};

const money = (cents: unknown): string => (typeof cents === 'number' ? formatDollars(dollarsOf(cents)) : 'money');

const batch = ({ about }: DeedFacts): string => `payout ${about}`;
const payout = ({ about, details }: DeedFacts): string => `a payout of ${money(details['amountCents'])} to ${about}`;
const adjustment = ({ about, details }: DeedFacts): string =>
  `a correction of ${money(details['amountCents'])} for ${about}`;

const DECIDED: Readonly<Record<string, string>> = {
  'no-fault': 'Found nothing against',
  warn: 'Warned about',
  hide: 'Hid something of',
  suspend: 'Suspended',
};

const SENTENCES: Record<Audited, (facts: DeedFacts) => string> = {
  'user made admin': ({ about }) => `Made ${about} an admin`,
  'admin role removed': ({ about }) => `Removed ${about} as an admin`,
  'seller declared': ({ about, details }) =>
    `${about} said that they sell ${details['as'] === 'trader' ? 'as a business' : 'privately'}`,
  'identity confirmed': ({ about }) => `Looked at who ${about} is`,
  'user verified': ({ about }) => `Verified ${about} as a seller`,
  'verification removed': ({ about }) => `Removed the verified tick of ${about}`,
  'user deleted': ({ about, details }) =>
    `Deleted ${about}${Number(details['withdrawn']) > 0 ? ` and hid ${listings(details['withdrawn'])}` : ''}`,
  'user suspended': ({ about, details }) =>
    `Suspended ${about}${typeof details['days'] === 'number' ? ` for ${days(details['days'])}` : ''}`,
  'suspension lifted': ({ about }) => `Lifted the suspension of ${about}`,
  'user restored': ({ about, details }) =>
    `Restored ${about}${Number(details['copies']) > 0 ? ` with ${listings(details['copies'])}` : ''}`,
  'own account deleted': () => 'Deleted their own account',
  'passkeys forgotten': ({ about }) => `Removed the passkeys of ${about}`,
  'category renamed': ({ about, details }) =>
    `Renamed the category ${text(details['from'])} to ${text(details['to']) || about}`,
  'category merged': ({ about, details }) =>
    `Merged the category ${about} into ${text(details['into'])}, with ${listings(details['copies'])}`,
  'category deleted': ({ about }) => `Deleted the category ${about}`,
  'listing deleted': ({ about }) => `Took down ${about}`,
  'listing restored': ({ about }) => `Restored ${about}`,
  'booking refunded': (facts) => `Refunded ${refund(facts)}`,
  'refund tried again': (facts) => `Tried again to refund ${refund(facts)}`,
  'refund paid otherwise': (facts) => `Paid ${refund(facts)} in another way: ${text(facts.details['reference'])}`,
  'refunded copy relisted': ({ about }) => `Put ${about} back on sale after a refund`,
  'refunded copy withdrawn': ({ about }) => `Removed ${about} after a refund`,
  'bank details entered': ({ details }) => `Entered bank details (${text(details['shown'])})`,
  'payout batch made': (facts) =>
    `Made ${batch(facts)} of ${money(facts.details['amountCents'])} for ${sellers(facts.details['count'])}`,
  'payout batch approved': (facts) => `Approved ${batch(facts)}`,
  'payout file downloaded': (facts) => `Downloaded the file of ${batch(facts)} (${text(facts.details['format'])})`,
  'payout marked paid': (facts) => `Marked ${payout(facts)} as paid`,
  'payout struck off': (facts) => `Struck off ${payout(facts)}`,
  'payout returned': (facts) => `Noted that the bank sent back ${payout(facts)}`,
  'adjustment asked for': (facts) => `Asked for ${adjustment(facts)}`,
  'adjustment approved': (facts) => `Approved ${adjustment(facts)}`,
  'adjustment declined': (facts) => `Declined ${adjustment(facts)}`,
  'review allowed': ({ about, details }) => `Let a ${text(details['what'])} by ${about} be shown`,
  'report decided': ({ about, details }) =>
    `${DECIDED[text(details['action'])] ?? 'Decided about'} ${about} after a report`,
  'report decision undone': ({ about }) => `Took back a decision about ${about}`,
  'appeal decided': ({ about, details }) =>
    `Looked at the appeal of ${about}: ${details['isUpheld'] === true ? 'the decision stays' : 'taken back'}`,
  'review removed': ({ about, details }) => `Removed a ${text(details['what'])} by ${about}`,
};

const isAudited = (action: string): action is Audited => Object.hasOwn(SENTENCES, action);

/** What was done, in plain words: `Refunded $7.25 to Nora for Dune`. */
export const sentenceOf = (facts: DeedFacts): string =>
  isAudited(facts.action) ? SENTENCES[facts.action](facts) : `${facts.action}: ${facts.about}`;
