import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayIn, endOfDay, formatDeadline } from '#contract/time.ts';
import { dueAfter, dueAfterThaw, isCalendarDay, workingDaysAfter, type ShopCalendar } from './deadlines.ts';

const LOS_ANGELES = 'America/Los_Angeles';
const BERLIN = 'Europe/Berlin';

const calendar = (timeZone: string, ...holidays: string[]): ShopCalendar => ({ timeZone, holidays: new Set(holidays) });

const due = (from: string, count: number, its: ShopCalendar): string =>
  workingDaysAfter(new Date(from), count, its).toISOString();

describe('working days', () => {
  it('end a second before midnight of the shop’s zone, and Friday’s last minute is still Friday', () => {
    // Friday, Nov 27, 2026, 23:59 in each zone.
    expect(due('2026-11-27T23:59:00Z', 1, calendar('UTC'))).toBe('2026-11-30T23:59:59.000Z');
    expect(due('2026-11-28T07:59:00Z', 1, calendar(LOS_ANGELES))).toBe('2026-12-01T07:59:59.000Z');
    expect(due('2026-11-27T22:59:00Z', 1, calendar(BERLIN))).toBe('2026-11-30T22:59:59.000Z');
    // A minute later it is Saturday, which changes nothing.
    expect(due('2026-11-28T00:00:00Z', 1, calendar('UTC'))).toBe('2026-11-30T23:59:59.000Z');
    expect(due('2026-11-27T23:59:00Z', 5, calendar('UTC'))).toBe('2026-12-04T23:59:59.000Z');
  });

  it('are the shop’s, wherever the order was paid', () => {
    // Thursday evening in Los Angeles is Friday in Berlin.
    expect(due('2026-11-27T04:00:00Z', 1, calendar(LOS_ANGELES))).toBe('2026-11-28T07:59:59.000Z');
    expect(due('2026-11-27T04:00:00Z', 1, calendar(BERLIN))).toBe('2026-11-30T22:59:59.000Z');
  });

  it('end by the clock of their last day when clocks change on the way', () => {
    // Los Angeles: Mar 8 and Nov 1, 2026; Berlin: Mar 29 and Oct 25.
    expect(due('2026-03-06T20:00:00Z', 1, calendar(LOS_ANGELES))).toBe('2026-03-10T06:59:59.000Z');
    expect(due('2026-10-30T19:00:00Z', 1, calendar(LOS_ANGELES))).toBe('2026-11-03T07:59:59.000Z');
    expect(due('2026-03-27T11:00:00Z', 1, calendar(BERLIN))).toBe('2026-03-30T21:59:59.000Z');
    expect(due('2026-10-23T10:00:00Z', 1, calendar(BERLIN))).toBe('2026-10-26T22:59:59.000Z');
  });

  it('leave holidays out, on weekends as well', () => {
    const closed = calendar('UTC', '2026-11-26', '2026-11-28');
    expect(due('2026-11-25T12:00:00Z', 1, closed)).toBe('2026-11-27T23:59:59.000Z');
    expect(due('2026-11-25T12:00:00Z', 2, closed)).toBe('2026-11-30T23:59:59.000Z');
    expect(due('2026-11-26T12:00:00Z', 1, closed)).toBe('2026-11-27T23:59:59.000Z');
  });

  it('know the 29th of February', () => {
    expect(due('2028-02-28T12:00:00Z', 1, calendar('UTC'))).toBe('2028-02-29T23:59:59.000Z');
    expect(due('2028-02-29T12:00:00Z', 1, calendar('UTC'))).toBe('2028-03-01T23:59:59.000Z');
    expect(due('2027-02-26T12:00:00Z', 1, calendar('UTC'))).toBe('2027-03-01T23:59:59.000Z');
  });

  it('are always ends of working days, as many days on as were asked for', () => {
    const zones = fc.constantFrom('UTC', LOS_ANGELES, BERLIN, 'Asia/Kathmandu', 'Africa/Cairo', 'Australia/Lord_Howe');
    const from = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, from, fc.integer({ min: 1, max: 10 }), (timeZone, at, count) => {
        const its = calendar(timeZone);
        const end = workingDaysAfter(at, count, its);
        const day = dayIn(end, timeZone);
        expect(end).toEqual(endOfDay(day, timeZone));
        expect(dayIn(new Date(end.getTime() + 1_000), timeZone) > day).toBe(true);
        expect([1, 2, 3, 4, 5]).toContain(new Date(`${day}T00:00:00Z`).getUTCDay());
        if (count > 1) expect(workingDaysAfter(workingDaysAfter(at, 1, its), count - 1, its)).toEqual(end);
        else expect(end.getTime() - at.getTime()).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('days and hours', () => {
  it('count from the instant, whatever clocks and calendars do', () => {
    const paid = new Date('2026-10-30T19:00:00Z');
    const its = calendar(LOS_ANGELES, '2026-11-02');
    expect(dueAfter(paid, 'days', 14, its).toISOString()).toBe('2026-11-13T19:00:00.000Z');
    expect(dueAfter(paid, 'hours', 72, its).toISOString()).toBe('2026-11-02T19:00:00.000Z');
    expect(dueAfter(paid, 'working-days', 1, its).toISOString()).toBe('2026-11-04T07:59:59.000Z');
    expect(dueAfter(new Date('2028-02-28T12:00:00Z'), 'days', 1, its).toISOString()).toBe('2028-02-29T12:00:00.000Z');
  });
});

describe('a deadline that stood', () => {
  const friday = new Date('2026-11-27T12:00:00Z');

  it('has its rest left when the bank lets it go, and a working day at least', () => {
    const its = calendar('UTC');
    const hour = 3_600_000;
    expect(dueAfterThaw(friday, hour, 1, its).toISOString()).toBe('2026-11-30T23:59:59.000Z');
    expect(dueAfterThaw(friday, 240 * hour, 1, its).toISOString()).toBe('2026-12-07T12:00:00.000Z');
  });
});

describe('a deadline in words', () => {
  it('has its weekday and the name of its zone', () => {
    const end = endOfDay('2026-11-26', 'UTC');
    expect(formatDeadline(end, 'UTC')).toBe('Thu, Nov 26, 2026, 11:59 PM UTC');
    expect(formatDeadline(end, LOS_ANGELES)).toBe('Thu, Nov 26, 2026, 3:59 PM PST');
    expect(formatDeadline(end.toISOString(), BERLIN)).toBe('Fri, Nov 27, 2026, 12:59 AM GMT+1');
  });
});

describe('the end of a day', () => {
  it('is the later one where clocks go back at midnight', () => {
    // Cairo turned its clocks back when Thursday, Oct 31, 2024 ended: 23:59:59 came twice.
    expect(endOfDay('2024-10-31', 'Africa/Cairo').toISOString()).toBe('2024-10-31T21:59:59.000Z');
    expect(endOfDay('2024-10-30', 'Africa/Cairo').toISOString()).toBe('2024-10-30T20:59:59.000Z');
  });
});

describe('a holiday', () => {
  it('is a day that there is', () => {
    for (const day of ['2026-12-25', '2028-02-29']) expect(isCalendarDay(day), day).toBe(true);
    for (const day of ['2027-02-29', '2026-13-01', '2026-12-25 ', '25.12.2026', '2026-1-1', ''])
      expect(isCalendarDay(day), day).toBe(false);
  });
});
