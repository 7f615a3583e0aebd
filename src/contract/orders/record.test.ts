import { expect, test } from 'vitest';
import { EMPTY_RECORD, recordOfOrder, recordOfOrders, type EndedOrder } from './record.ts';

const CALENDAR = { timeZone: 'UTC', holidays: new Set<string>() };
/** A Monday. */
const PAID = Date.parse('2026-11-02T10:00:00Z');
const at = (hours: number): Date => new Date(PAID + hours * 3_600_000);

const order = (
  events: readonly (readonly [move: string, state: string, hours: number])[],
  notes: readonly (readonly ['buyer' | 'seller', number])[] = [],
): EndedOrder => ({
  createdAt: at(0),
  daysToPost: 3,
  events: [['settle', 'paid', 0] as const, ...events].map(([move, state, hours]) => ({ move, state, at: at(hours) })),
  notes: notes.map(([by, hours]) => ({ by, at: at(hours) })),
});

const record = (...parts: Parameters<typeof order>) => recordOfOrder(order(...parts), CALENDAR);

const POSTED = ['post', 'posted', 60] as const;
const RECEIVED = ['receive', 'received', 100] as const;
const CLOSED = ['close', 'closed', 200] as const;

test('an order counts once it is over, by what became of it', () => {
  expect(record([POSTED, RECEIVED])).toEqual(EMPTY_RECORD);
  expect(record([POSTED, RECEIVED, CLOSED])).toEqual({ ...EMPTY_RECORD, orders: 1, posted: 1, postedInTime: 1 });
  expect(record([['refuse', 'cancelled', 5]])).toEqual({ ...EMPTY_RECORD, cancelled: 1 });
  expect(record([['cancel-unposted', 'cancelled', 150]])).toEqual({ ...EMPTY_RECORD, cancelled: 1 });
  for (const move of ['cancel', 'call-off', 'cancel-uncollected', 'lose-unposted'])
    expect(record([[move, 'cancelled', 5]]), move).toEqual(EMPTY_RECORD);
});

test('it is in time until the end of the promised working day', () => {
  for (const [hours, inTime] of [
    // Thursday, the third working day after a Monday
    [85, 1],
    [86.1, 0],
  ] as const)
    expect(record([['post', 'posted', hours], RECEIVED, CLOSED]), `${hours}`).toMatchObject({ postedInTime: inTime });
});

test('a complaint counts where money went back, not where the sale stands', () => {
  const complaint = ['report-problem', 'problem', 110] as const;
  expect(record([POSTED, RECEIVED, complaint, ['refund-problem', 'closed', 120]])).toMatchObject({ upheld: 1 });
  expect(record([POSTED, RECEIVED, complaint, ['refund-part', 'closed', 120]])).toMatchObject({ upheld: 1 });
  expect(record([POSTED, RECEIVED, complaint, ['keep', 'closed', 120]])).toMatchObject({ orders: 1, upheld: 0 });
});

test('an answer counts for the first words of a buyer, within a day', () => {
  const end = [POSTED, RECEIVED, CLOSED];
  const of = (...notes: ['buyer' | 'seller', number][]) => {
    const { asked, answered } = record(end, notes);
    return [asked, answered];
  };
  expect(of()).toEqual([0, 0]);
  expect(of(['seller', 5])).toEqual([0, 0]);
  expect(of(['buyer', 10], ['seller', 33])).toEqual([1, 1]);
  expect(of(['buyer', 10], ['seller', 35])).toEqual([1, 0]);
  expect(of(['buyer', 10])).toEqual([1, 0]);
  // The order was over before a day had gone by.
  expect(of(['buyer', 190])).toEqual([0, 0]);
  expect(of(['buyer', 190], ['seller', 199])).toEqual([1, 1]);
  expect(of(['buyer', 190], ['seller', 205])).toEqual([0, 0]);
});

test('what happens after its end changes nothing, and orders add up', () => {
  const over = [POSTED, RECEIVED, CLOSED] as const;
  expect(record([...over, ['refund-later', 'closed', 300]])).toEqual(record(over));
  const orders = [order(over), order([['refuse', 'cancelled', 5]]), order(over)];
  expect(recordOfOrders(orders, CALENDAR)).toEqual({
    ...EMPTY_RECORD,
    orders: 2,
    posted: 2,
    postedInTime: 2,
    cancelled: 1,
  });
});
