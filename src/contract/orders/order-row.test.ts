import { describe, expect, test } from 'vitest';
import { rowWords, type OrderRow } from './order-row.ts';
import { ORDER_ENDS, ORDER_STATES } from './states.ts';

const AT = '2026-11-26T23:59:59.000Z';

const row = (parts: Partial<OrderRow> = {}): OrderRow => ({
  id: 'o',
  state: 'paid',
  outcome: '',
  delivery: 'post',
  frozen: false,
  deciding: false,
  dueMove: 'cancel-unposted',
  dueAt: AT,
  closedAt: null,
  ...parts,
});

const of = (parts: Partial<OrderRow>) => [rowWords(row(parts), 'seller'), rowWords(row(parts), 'buyer')];

describe('a line of a list', () => {
  test('says to both sides what happens next with an order, and when, in every state', () => {
    for (const state of ORDER_STATES.filter((one) => !ORDER_ENDS.includes(one))) {
      for (const words of of({ state })) {
        expect(words.text, state).toContain('{at}');
        expect(words.at, state).toBe(AT);
      }
    }
  });

  test('asks whoever has to do something', () => {
    const yours = (parts: Partial<OrderRow>) => of(parts).map(({ isYours }) => isYours);
    expect(of({})[0]).toEqual({ text: 'Post by {at}', at: AT, isYours: true });
    expect(of({ delivery: 'pickup' })[0]?.text).toBe('Offer times by {at}');
    expect(yours({ state: 'posted' })).toEqual([false, true]);
    expect(yours({ state: 'received' })).toEqual([false, false]);
    expect(yours({ state: 'problem', dueMove: 'refund-problem' })).toEqual([true, false]);
    expect(yours({ state: 'problem', dueMove: 'ask-admin' })).toEqual([false, true]);
    expect(yours({ state: 'problem', dueMove: 'refund-problem', deciding: true })).toEqual([false, false]);
    expect(yours({ state: 'returning', dueMove: 'keep-unreturned' })).toEqual([false, true]);
    expect(yours({ state: 'returning', dueMove: 'take-back' })).toEqual([true, false]);
    expect(yours({ state: 'returning', dueMove: 'close-returned' })).toEqual([false, false]);
    expect(yours({ state: 'returning', dueMove: 'refund-problem' })).toEqual([false, false]);
    expect(of({ state: 'returning', dueMove: 'refund-problem' })[0]?.text).toBe('Problem: we decide by {at}');
  });

  test('of an order that the bank stops has no time, and of one that is over when that was', () => {
    expect(of({ frozen: true, dueAt: null })[0]).toEqual({
      text: 'Stopped by the bank',
      at: undefined,
      isYours: false,
    });
    const over = { state: 'closed', dueAt: null, dueMove: '', closedAt: AT } as const;
    expect(of({ ...over, outcome: 'part-refunded' })[1]).toEqual({
      text: 'Partly refunded, {at}',
      at: AT,
      isYours: false,
    });
    expect(of({ ...over, outcome: 'before' })[0]?.text).toBe('Completed, {at}');
    expect(of({ ...over, state: 'cancelled', outcome: 'cancelled-by-buyer' }).map(({ text }) => text)).toEqual([
      'Cancelled by the buyer, {at}',
      'Cancelled by you, {at}',
    ]);
  });
});
