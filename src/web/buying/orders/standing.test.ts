import { describe, expect, it } from 'vitest';
import type { Booking } from '#contract/bookings/bookings.ts';
import { canBePaid, countdown, standingOf, standingText } from './standing.ts';

const id = '00000000-0000-4000-8000-000000000001';
// The clock of whoever reads it, wherever the test runs.
const ZONE = 'America/New_York';
const noon = new Date('2026-03-04T12:00:00-05:00');

const booking = (more: Partial<Booking>): Booking => ({
  _id: id,
  listingId: id,
  title: 'Emma',
  authors: 'Jane Austen',
  image_url: '',
  buyer: 'Bea',
  email: 'bea@example.com',
  phone: '',
  location: '',
  price: 5,
  paid: false,
  paidAt: null,
  processing: false,
  refunded: false,
  refundedAt: null,
  cancelled: false,
  hold: 'held',
  holdExpiresAt: new Date('2026-03-04T12:30:00-05:00').toISOString(),
  Seller: 'Sam',
  seller_slug: 'sam',
  seller_phone: '',
  seller_location: '',
  holdIsFinal: false,
  change: null,
  orderId: null,
  order: null,
  sellerId: id,
  bookedAt: noon.toISOString(),
  ...more,
});

const told = (more: Partial<Booking>, now = noon): [string, boolean] => {
  const standing = standingOf(booking(more), now);
  return [standingText(standing, now, ZONE), canBePaid(standing)];
};

describe('how a booking stands', () => {
  it('says until when the copy is held, and can be paid', () => {
    expect(told({})).toEqual(['Reserved for you until 12:30 PM (30 min left)', true]);
    expect(told({}, new Date('2026-03-04T12:29:31-05:00'))).toEqual([
      'Reserved for you until 12:30 PM (less than a minute left)',
      true,
    ]);
  });

  it('names the day when that is not today', () => {
    const tomorrow = new Date('2026-03-05T11:00:00-05:00').toISOString();
    expect(told({ holdExpiresAt: tomorrow })).toEqual([
      'Reserved for you until 11:00 AM on Mar 5, 2026 (23 hours left)',
      true,
    ]);
  });

  it('is not held any more once the time is over, and Pay takes it again', () => {
    const lapsed = 'Not held any more. Pay takes it again if it is still free.';
    expect(told({}, new Date('2026-03-04T12:30:00-05:00'))).toEqual([lapsed, true]);
    expect(told({ hold: 'lapsed', holdExpiresAt: null })).toEqual([lapsed, true]);
  });

  it('cannot be paid when it is gone, cancelled or paid', () => {
    expect(told({ hold: 'gone', holdExpiresAt: null })).toEqual([
      'Gone: another reader has it, or it was taken off the shelf.',
      false,
    ]);
    expect(told({ hold: 'none', cancelled: true })).toEqual(['Cancelled', false]);
    expect(told({ hold: 'none', paid: true, paidAt: noon.toISOString() })).toEqual(['Paid on Mar 4, 2026', false]);
  });

  it('is neither to be paid again nor lost while the money is on its way, or once it went back', () => {
    expect(told({ processing: true })).toEqual([
      'Your payment is on its way. The book is kept for you meanwhile.',
      false,
    ]);
    const refunded = { hold: 'none', paid: true, refunded: true, refundedAt: noon.toISOString() } as const;
    expect(told(refunded)).toEqual(['Refunded on Mar 4, 2026. Banks take up to ten days to show it.', false]);
  });
});

describe('the countdown', () => {
  const left = (seconds: number) => countdown(new Date(noon.getTime() + seconds * 1_000), noon);

  it('tells minutes and seconds, hours where there are some, and never less than nothing', () => {
    expect([left(1_800), left(61), left(9.2), left(0), left(-5)]).toEqual(['30:00', '1:01', '0:09', '0:00', '0:00']);
    expect(left(3_661)).toBe('1:01:01');
  });
});
