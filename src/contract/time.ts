/** How times and dates are written for users, in one place. Exports write ISO 8601 instead, and say so. */

const CLOCK: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' };
const DAY: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };
const STYLES = { time: CLOCK, date: DAY, moment: { ...DAY, ...CLOCK }, zone: { timeZoneName: 'short' } } as const;

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

/** Day and time of an instant in a zone: `Nov 22, 2026, 6:31 PM`. */
export const formatMoment = (at: string | Date, timeZone: string): string => written('moment', at, timeZone);

/**
 * As `formatMoment`, with the name of the zone, for what is read where the zone is not known: `Nov 22, 2026, 6:31 PM
 * EST`.
 */
export const formatZonedMoment = (at: string | Date, timeZone: string): string => {
  const zone = formatOf('zone', timeZone)
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName');
  return `${formatMoment(at, timeZone)} ${zone?.value ?? timeZone}`;
};

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
