/** How times and dates are written for users, in one place. Exports write ISO 8601 instead, and say so. */

const CLOCK: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' };
const DAY: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };
const ZONE: Intl.DateTimeFormatOptions = { timeZoneName: 'short' };
const STYLES = {
  time: CLOCK,
  date: DAY,
  month: { year: 'numeric', month: 'long' },
  moment: { ...DAY, ...CLOCK },
  zoned: { ...DAY, ...CLOCK, ...ZONE },
  deadline: { weekday: 'short', ...DAY, ...CLOCK, ...ZONE },
  soon: { weekday: 'short', month: 'short', day: 'numeric', ...CLOCK, ...ZONE },
  wall: { ...DAY, month: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

// Made once for a style and zone: making one takes as long as a hundred uses. Zones are checked, so there are some
// hundreds at most.
const made = new Map<string, Intl.DateTimeFormat>();

const formatOf = (style: keyof typeof STYLES, timeZone: string): Intl.DateTimeFormat => {
  const key = `${style} ${timeZone}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat('en-US', { ...STYLES[style], timeZone });
  made.set(key, format);
  return format;
};

/** What Node.js and some browsers write before AM and PM; both must write the same text. */
const NARROW_SPACE = /\u202f/g;

const written = (style: keyof typeof STYLES, at: string | Date, timeZone: string): string =>
  formatOf(style, timeZone).format(new Date(at)).replace(NARROW_SPACE, ' ');

/** The time of day of an instant (ISO 8601 or a Date) in a zone: `6:31 PM`. */
export const formatTime = (at: string | Date, timeZone: string): string => written('time', at, timeZone);

/** The day of an instant in a zone: `Nov 22, 2026`. */
export const formatDate = (at: string | Date, timeZone: string): string => written('date', at, timeZone);

/** The month of an instant in a zone: `November 2026`. */
export const formatMonth = (at: string | Date, timeZone: string): string => written('month', at, timeZone);

/** Day and time of an instant in a zone: `Nov 22, 2026, 6:31 PM`. */
export const formatMoment = (at: string | Date, timeZone: string): string => written('moment', at, timeZone);

/**
 * As `formatMoment`, with the name of the zone, for what is read where the zone is not known: `Nov 22, 2026, 6:31 PM
 * EST`.
 */
export const formatZonedMoment = (at: string | Date, timeZone: string): string => written('zoned', at, timeZone);

/** The last moment for something within weeks, with its zone: `Thu, Nov 26, 11:59 PM EST`. */
export const formatSoon = (at: string | Date, timeZone: string): string => written('soon', at, timeZone);

/** The last moment for something, with its day of the week and its zone: `Thu, Nov 26, 2026, 11:59 PM UTC`. */
export const formatDeadline = (at: string | Date, timeZone: string): string => written('deadline', at, timeZone);

/**
 * Names of the time zone database; offsets such as `+05:30`, which some runtimes take as well, do not know summer time.
 */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,3}$/;
export const MAX_TIME_ZONE_LENGTH = 64;

/**
 * Whether times can be written in this zone here. By trying it: the list of `Intl.supportedValuesOf` leaves out `UTC`
 * and the newer of two names of a place, which other browsers tell.
 */
export const isTimeZone = (name: string): boolean => {
  if (name.length > MAX_TIME_ZONE_LENGTH || !NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** The zone that this machine is set to; undefined where it does not tell one that times can be written in. */
export const ownTimeZone = (): string | undefined => {
  const name: unknown = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return typeof name === 'string' && isTimeZone(name) ? name : undefined;
};

/** What the clocks of a zone show at an instant, to the second, as milliseconds since 1970 began on them. */
const wallClockOf = (atMs: number, timeZone: string): number => {
  const parts = formatOf('wall', timeZone).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
};

/** The day of an instant in a zone, as `2026-11-22`. */
export const dayIn = (at: Date, timeZone: string): string =>
  new Date(wallClockOf(at.getTime(), timeZone)).toISOString().slice(0, 10);

/** What the clocks of a zone show at an instant, as `18:31`. */
export const clockIn = (at: Date, timeZone: string): string =>
  new Date(wallClockOf(at.getTime(), timeZone)).toISOString().slice(11, 16);

const DAY_MS = 86_400_000;

/**
 * The last second (23:59:59) of a day, given as `2026-11-22`, in a zone; the later one where clocks are turned back at
 * midnight and show it twice.
 */
export const endOfDay = (day: string, timeZone: string): Date => {
  const wallMs = Date.parse(`${day}T23:59:59Z`);
  // Clocks change at most once in two days, so that one of the offsets a day before and after is the one of then.
  const instants = [wallMs - DAY_MS, wallMs + DAY_MS].map(
    (aboutMs) => wallMs - wallClockOf(aboutMs, timeZone) + aboutMs,
  );
  const exact = instants.filter((atMs) => wallClockOf(atMs, timeZone) === wallMs);
  return new Date(Math.max(...(exact.length > 0 ? exact : instants)));
};
