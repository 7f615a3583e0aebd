import { formatDate, formatDeadline, formatMoment, formatSoon, formatTime } from '#contract/time.ts';
import { classes } from '#web/ui/classes.ts';
import { useTimeZone } from './use-time-zone.ts';

const WRITTEN = {
  time: formatTime,
  date: formatDate,
  moment: formatMoment,
  soon: formatSoon,
  deadline: formatDeadline,
};

export interface TimeProps {
  /** ISO 8601 */
  at: string;
  /**
   * `6:31 PM`, `Nov 22, 2026` or both; `Thu, Nov 26, 11:59 PM EST`; a deadline has its year as well, and may need two
   * lines, as one that is soon may.
   */
  as: keyof typeof WRITTEN;
}

/**
 * An instant, in the shop's zone as the server renders it and in the reader's own from then on; on one line unless it
 * has a zone, its digits of one width.
 */
export const Time = ({ at, as }: TimeProps) => (
  <time dateTime={at} className={classes('tabular-nums', as !== 'deadline' && as !== 'soon' && 'whitespace-nowrap')}>
    {WRITTEN[as](at, useTimeZone())}
  </time>
);
