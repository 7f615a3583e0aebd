import { formatDate } from '#contract/time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long ago something was, as one would say it: "just now", "5 minutes ago", "Nov 21, 2026". */
export const agoWords = (iso: string, nowMs: number, timeZone: string): string => {
  const ago = nowMs - new Date(iso).getTime();
  const some = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  if (ago < 2 * MINUTE_MS) return 'just now';
  if (ago < HOUR_MS) return some(Math.floor(ago / MINUTE_MS), 'minute');
  if (ago < DAY_MS) return some(Math.floor(ago / HOUR_MS), 'hour');
  if (ago < 14 * DAY_MS) return some(Math.floor(ago / DAY_MS), 'day');
  return formatDate(iso, timeZone);
};
