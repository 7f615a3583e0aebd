import { describe, expect, it } from 'vitest';
import type { Booking, BookingOfMine } from '#contract/bookings/bookings.ts';
import type { OrderRow } from '#contract/orders/order-row.ts';
import { comingOf, toDoOf } from './inbox.ts';

const anOrder = (id: string, changes: Partial<OrderRow> = {}): OrderRow => ({
  id,
  state: 'paid',
  outcome: '',
  delivery: 'post',
  frozen: false,
  deciding: false,
  dueMove: 'cancel-unposted',
  dueAt: '2026-11-30T00:00:00.000Z',
  closedAt: null,
  ...changes,
});

const aRow = (id: string, changes: Partial<Booking> = {}): Booking =>
  ({
    _id: id,
    title: `Title of ${id}`,
    authors: 'Ann Author',
    image_url: '',
    order: null,
    refunded: false,
    processing: false,
    hold: 'none',
    holdExpiresAt: null,
    ...changes,
  }) as Booking;

const sellers = (rows: readonly Booking[]): readonly BookingOfMine[] => rows;

describe('what a seller has to do', () => {
  it('is what their orders ask them for, once an order', () => {
    const rows = [
      aRow('a', { order: anOrder('one') }),
      aRow('b', { order: anOrder('one') }),
      aRow('c', { order: anOrder('two', { state: 'posted' }) }),
      aRow('d', { order: anOrder('three', { state: 'problem', dueMove: 'refund-problem' }) }),
      aRow('e', { order: anOrder('four', { state: 'ready', delivery: 'pickup' }) }),
    ];
    expect(toDoOf(sellers(rows)).map(({ title, more, to }) => [title, more, to])).toEqual([
      ['Title of a', 1, '/dashboard/orders/one'],
      ['Title of d', 0, '/dashboard/orders/three'],
      ['Title of e', 0, '/dashboard/orders/four'],
    ]);
  });

  it('is nothing of orders that are over, stopped or given back, nor of books nobody has paid for', () => {
    const rows = [
      aRow('a', { order: anOrder('one', { state: 'closed', closedAt: '2026-11-01T00:00:00.000Z' }) }),
      aRow('b', { order: anOrder('two', { frozen: true, dueAt: null }) }),
      aRow('c', { order: anOrder('three'), refunded: true }),
      aRow('d', { hold: 'held', holdExpiresAt: '2026-11-24T15:00:00.000Z' }),
    ];
    expect(toDoOf(sellers(rows))).toEqual([]);
  });
});

describe('what is under way of a buyer’s', () => {
  it('is what is reserved for them, then what they are asked for, then what waits for others', () => {
    const rows = [
      aRow('waits', { order: anOrder('one') }),
      aRow('held', { hold: 'held', holdExpiresAt: '2026-11-24T15:00:00.000Z' }),
      aRow('ready', { order: anOrder('two', { state: 'ready', delivery: 'pickup' }) }),
      aRow('lapsed', { hold: 'lapsed' }),
      aRow('under way', { hold: 'held', processing: true, holdExpiresAt: '2026-11-24T15:00:00.000Z' }),
    ];
    expect(comingOf(rows).map(({ to, payBy }) => [to, payBy])).toEqual([
      ['/dashboard/payment/held', '2026-11-24T15:00:00.000Z'],
      ['/dashboard/orders/two', undefined],
      ['/dashboard/orders/one', undefined],
    ]);
  });
});
