import { parseCents } from '#contract/money/money.ts';
import { CAME_BACK_WORDS, type CameBack } from '#contract/orders/states.ts';
import type { OrderMoveRequest } from '#contract/orders/orders.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { complaintOf } from './complaint-field.tsx';
import type { MoveField } from './moves.ts';

const NAMES = [
  'carrier',
  'tracking',
  'none',
  'place',
  'first',
  'second',
  'code',
  'reason',
  'bookingId',
  'kind',
  'words',
  'amount',
  'why',
  'sendBack',
] as const;
export type FieldName = (typeof NAMES)[number];
export type MoveValues = Record<FieldName, string>;

const OF_FIELD: Record<MoveField, readonly FieldName[]> = {
  post: ['carrier', 'tracking', 'none'],
  pickup: ['place', 'first', 'second'],
  code: ['code'],
  reason: ['reason'],
  book: ['bookingId'],
  kind: ['kind'],
  words: ['words'],
  amount: ['amount'],
  why: ['why'],
  sendBack: ['sendBack'],
  // Sent by their ids, which are in no input.
  photos: [],
};

/** The names of the inputs that some fields of a move have. */
export const namesOf = (fields: readonly MoveField[]): readonly FieldName[] =>
  fields.flatMap((field) => OF_FIELD[field]);

/** The choice of all books of an order. */
export const ALL = 'all';

const CODE = /^\d{6}$/;
const digits = (text: string): string => text.replaceAll(/\s/g, '');

const MISSING: Partial<Record<FieldName, string>> = {
  carrier: 'Choose who carries it',
  place: 'Say where the book can be picked up',
  first: 'Offer a time',
  second: 'Offer a second time',
  reason: 'Tell the buyer why',
  bookingId: 'Choose the book',
  kind: 'Choose what is wrong',
  why: 'Choose why it came back',
  words: 'Say what is wrong',
  sendBack: 'Say how it is sent back, and where to',
};

/** What is wrong with what was typed, by input. */
export const moveProblems = (names: readonly FieldName[], values: MoveValues): FieldErrors => {
  const problems: FieldErrors = {};
  const hasNoNumber = values.none === 'on';
  for (const name of names) {
    const missing = MISSING[name];
    if (missing !== undefined && values[name].trim() === '' && !(name === 'carrier' && hasNoNumber))
      problems[name] = missing;
  }
  if (names.includes('tracking') && values.tracking.trim() === '' && !hasNoNumber)
    problems.tracking = 'Give the number, or say below that there is none';
  if (names.includes('code') && !CODE.test(digits(values.code))) problems.code = 'The code has six digits';
  if (names.includes('amount') && !parseCents(values.amount.trim()))
    problems.amount = 'Give an amount in dollars, for example 2.50';
  return problems;
};

const isWhy = (text: string): text is CameBack => Object.hasOwn(CAME_BACK_WORDS, text);

/** What is sent of what was typed: only what the form asked for. */
export const moveInput = (move: string, names: readonly FieldName[], values: MoveValues): OrderMoveRequest => {
  const text = (name: FieldName): string => values[name].trim();
  const has = (name: FieldName): boolean => names.includes(name);
  return {
    move,
    ...(has('carrier') && text('carrier') !== '' && { carrier: text('carrier') }),
    ...(has('tracking') && values.none !== 'on' && { tracking: text('tracking') }),
    ...(has('place') && { place: text('place'), times: `${text('first')} or ${text('second')}` }),
    ...(has('code') && { code: digits(values.code) }),
    ...(has('reason') && { reason: text('reason') }),
    // Without one it is about all of the order.
    ...(has('bookingId') && text('bookingId') !== ALL && { bookingId: text('bookingId') }),
    ...(has('kind') && complaintOf(values.kind)),
    ...(has('words') && { words: text('words') }),
    ...(has('why') && isWhy(values.why) && { why: values.why }),
    ...(has('sendBack') && { sendBack: text('sendBack') }),
    ...(has('amount') && { amount: text('amount') }),
  };
};
