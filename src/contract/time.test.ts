import { describe, expect, it } from 'vitest';
import {
  formatDate,
  formatMoment,
  formatSoon,
  formatTime,
  formatZonedMoment,
  isTimeZone,
  ownTimeZone,
} from './time.ts';

const evening = '2026-11-22T23:31:00.000Z';

describe('a time', () => {
  it('is written with twelve hours, the month by name and four digits of the year', () => {
    expect(formatTime(evening, 'UTC')).toBe('11:31 PM');
    expect(formatTime('2026-11-22T00:05:59.999Z', 'UTC')).toBe('12:05 AM');
    expect(formatTime('2026-11-22T12:00:00Z', 'UTC')).toBe('12:00 PM');
    expect(formatDate(evening, 'UTC')).toBe('Nov 22, 2026');
    expect(formatMoment(new Date(evening), 'UTC')).toBe('Nov 22, 2026, 11:31 PM');
  });

  it('is that of the zone, its day and its summer time included', () => {
    expect(formatMoment(evening, 'America/New_York')).toBe('Nov 22, 2026, 6:31 PM');
    expect(formatMoment(evening, 'Asia/Tokyo')).toBe('Nov 23, 2026, 8:31 AM');
    expect(formatTime('2026-07-22T23:31:00Z', 'America/New_York')).toBe('7:31 PM');
  });

  it('names its zone where whoever reads it cannot know', () => {
    expect(formatZonedMoment(evening, 'America/New_York')).toBe('Nov 22, 2026, 6:31 PM EST');
    expect(formatZonedMoment('2026-07-22T23:31:00Z', 'America/New_York')).toBe('Jul 22, 2026, 7:31 PM EDT');
    expect(formatZonedMoment(evening, 'Europe/Berlin')).toBe('Nov 23, 2026, 12:31 AM GMT+1');
    expect(formatZonedMoment(evening, 'UTC')).toBe('Nov 22, 2026, 11:31 PM UTC');
    expect(formatSoon(evening, 'America/New_York')).toBe('Sun, Nov 22, 6:31 PM EST');
  });

  it('has plain spaces only, as server and browser must write the same', () => {
    expect(formatZonedMoment(evening, 'America/New_York')).toMatch(/^[ -~]+$/);
  });
});

describe('a time zone', () => {
  it('is any name of the time zone database, older and newer ones, and UTC', () => {
    for (const name of ['America/New_York', 'Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'UTC']) {
      expect(isTimeZone(name), name).toBe(true);
    }
  });

  it('is no offset, no place that there is not, and nothing longer than one', () => {
    const wrong = ['', ' ', '+05:30', 'Mars/Olympus', 'America/New York', '../etc', 'UTC\n', `A${'a'.repeat(64)}`];
    for (const name of wrong) expect(isTimeZone(name), name).toBe(false);
  });

  it('of this machine is one', () => {
    expect(isTimeZone(ownTimeZone() ?? '')).toBe(true);
  });
});
