import { bankName, type BankAccountType } from '#contract/money/bank-details.ts';
import type { Filed, Originator } from './by-hand.table.ts';

// The fixed-width file that American banks take ("NACHA", ACH): https://achdevguide.nacha.org/ach-file-details
// One batch of credits to people (PPD), without addenda.

const LINE = 94;
const LINES_IN_BLOCK = 10;
const CREDITS_ONLY = '220';
const CODES: Record<BankAccountType, string> = { checking: '22', savings: '32' };
const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A payout to an American account. */
export interface Credit {
  /** Up to 15 characters by which the bank names it back. */
  readonly reference: string;
  readonly holder: string;
  readonly routing: string;
  readonly account: string;
  readonly accountType: BankAccountType;
  readonly cents: number;
}

/** Text on the left of its field, cut off where it is too long; nothing but what a bank takes. */
const text = (value: string, width: number): string => bankName(value).slice(0, width).padEnd(width);

/** A number on the right of its field, with zeros before it. */
const number = (value: number | bigint, width: number): string => {
  const digits = String(value).padStart(width, '0');
  if (digits.length > width) throw new RangeError('a number is too long for its field');
  return digits;
};

const bankOf = ({ bankRouting }: Originator): string => bankRouting.slice(0, 8);

const fileHeader = (n: number, filed: Filed, from: Originator): string =>
  `101 ${from.bankRouting}${text(from.companyId, 10)}${filed.day}${filed.time}` +
  `${MODIFIERS[(n - 1) % MODIFIERS.length]}094101${text(from.bankName, 23)}${text(from.companyName, 23)}${text('', 8)}`;

const batchHeader = (filed: Filed, from: Originator): string =>
  `5${CREDITS_ONLY}${text(from.companyName, 16)}${text('', 20)}${text(from.companyId, 10)}PPD${text('PAYOUT', 10)}` +
  `${filed.day}${filed.effective}${text('', 3)}1${bankOf(from)}${number(1, 7)}`;

const entry = (credit: Credit, at: number, from: Originator): string =>
  `6${CODES[credit.accountType]}${credit.routing}${credit.account.padEnd(17)}${number(credit.cents, 10)}` +
  `${text(credit.reference, 15)}${text(credit.holder, 22)}${text('', 2)}0${bankOf(from)}${number(at + 1, 7)}`;

/** What the two records at the end say of all entries. */
const totals = (credits: readonly Credit[], countWidth: number): string => {
  const hash = credits.reduce((sum, { routing }) => sum + BigInt(routing.slice(0, 8)), 0n) % 10_000_000_000n;
  const cents = credits.reduce((sum, credit) => sum + credit.cents, 0);
  return `${number(credits.length, countWidth)}${number(hash, 10)}${number(0, 12)}${number(cents, 12)}`;
};

const batchControl = (credits: readonly Credit[], from: Originator): string =>
  `8${CREDITS_ONLY}${totals(credits, 6)}${text(from.companyId, 10)}${text('', 25)}${bankOf(from)}${number(1, 7)}`;

const fileControl = (credits: readonly Credit[], blocks: number): string =>
  `9${number(1, 6)}${number(blocks, 6)}${totals(credits, 8)}${text('', 39)}`;

/** The file of the `n`-th batch, in lines of 94 characters and blocks of ten. */
export const nachaFile = (n: number, filed: Filed, from: Originator, credits: readonly Credit[]): string => {
  const blocks = Math.ceil((credits.length + 4) / LINES_IN_BLOCK);
  const lines = [
    fileHeader(n, filed, from),
    batchHeader(filed, from),
    ...credits.map((credit, at) => entry(credit, at, from)),
    batchControl(credits, from),
    fileControl(credits, blocks),
  ];
  const fill = Array.from({ length: blocks * LINES_IN_BLOCK - lines.length }, () => '9'.repeat(LINE));
  return `${[...lines, ...fill].join('\n')}\n`;
};
