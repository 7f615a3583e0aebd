import { dollarsOf, formatDollars } from '#contract/money.ts';

const TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** An instant as mails tell it; where its reader is, is not known. */
export const timeWords = (iso: string): string => `${TIME.format(new Date(iso))} UTC`;

export const priceWords = (cents: number): string => formatDollars(dollarsOf(cents));
