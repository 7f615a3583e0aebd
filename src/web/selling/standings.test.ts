import { describe, expect, it } from 'vitest';
import { reachText, standingOf } from './buyer-standing.ts';
import { lockedBecause } from './locked.ts';

describe('a booking, for the seller', () => {
  it.each([
    [{ paid: true, refunded: false, cancelled: false, hold: 'none' }, 'Paid'],
    [{ paid: true, refunded: true, cancelled: false, hold: 'none' }, 'Refunded'],
    [{ paid: false, refunded: false, cancelled: true, hold: 'none' }, 'Cancelled'],
    [{ paid: false, refunded: false, cancelled: false, hold: 'held' }, 'Not paid yet'],
    [{ paid: false, refunded: false, cancelled: false, hold: 'lapsed' }, 'Lapsed'],
    [{ paid: false, refunded: false, cancelled: false, hold: 'gone' }, 'Lapsed'],
  ] as const)('of %j stands as %s', (booking, standing) => {
    expect(standingOf(booking)).toBe(standing);
  });

  it('says how its buyer is reached once it is paid, as far as they said', () => {
    expect(reachText({ paid: false, refunded: false, phone: '', location: '' })).toBe(
      'You’ll see contact details after payment',
    );
    expect(reachText({ paid: true, refunded: false, phone: '555 0100', location: 'Leeds' })).toBe('555 0100 · Leeds');
    expect(reachText({ paid: true, refunded: false, phone: '555 0100', location: '' })).toBe('555 0100');
    expect(reachText({ paid: true, refunded: false, phone: '', location: '' })).toBe('No phone number or place given');
    expect(reachText({ paid: true, refunded: true, phone: '', location: '' })).toBe(
      'Contact details are no longer shown',
    );
  });
});

describe('a copy', () => {
  it('is free to be changed while it is available, and says why not else', () => {
    expect(lockedBecause('Available')).toBeUndefined();
    expect(lockedBecause('Reserved')).toMatch(/on hold/);
    expect(lockedBecause('Sold')).toMatch(/sold/);
  });
});
