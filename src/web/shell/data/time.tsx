import { formatDate, formatMoment, formatTime } from '#contract/time.ts';
import { useTimeZone } from './use-time-zone.ts';

const WRITTEN = { time: formatTime, date: formatDate, moment: formatMoment };

interface TimeProps {
  /** ISO 8601 */
  at: string;
  /** `6:31 PM`, `Nov 22, 2026` or both. */
  as: keyof typeof WRITTEN;
}

/**
 * An instant, in the shop's zone as the server renders it and in the reader's own from then on; on one line, its digits
 * of one width.
 */
export const Time = ({ at, as }: TimeProps) => (
  <time dateTime={at} className="whitespace-nowrap tabular-nums">
    {WRITTEN[as](at, useTimeZone())}
  </time>
);
