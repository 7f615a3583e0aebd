import { dayIn, endOfDay } from '#contract/time.ts';

/** Working days and the ends of days are those of the shop; days and hours count from an instant. */
export type DeadlineKind = 'working-days' | 'days' | 'hours';

/** A length of time that an order waits; `variable` names the operator's setting, null where there is none. */
export interface Deadline {
  readonly kind: DeadlineKind;
  readonly default: number;
  readonly variable: string | null;
}

const days = (count: number, variable: string | null = null): Deadline => ({ kind: 'days', default: count, variable });
const hours = (count: number, variable: string): Deadline => ({ kind: 'hours', default: count, variable });
const workingDays = (count: number, variable: string | null = null): Deadline => ({
  kind: 'working-days',
  default: count,
  variable,
});

/** How long an order waits for what. */
export const ORDER_DEADLINES = {
  /** Until the seller has posted or offers times to pick up; each seller's own setting. */
  promise: workingDays(3),
  /** What a seller is given beyond the promise before the order is cancelled. */
  postGrace: workingDays(2, 'ORDER_POST_GRACE_DAYS'),
  pickup: days(21, 'ORDER_PICKUP_DAYS'),
  /** From when on an admin may end it where nobody came. */
  uncollected: days(14),
  received: days(14, 'ORDER_RECEIVED_DAYS'),
  receivedAbroad: days(30, 'ORDER_RECEIVED_ABROAD_DAYS'),
  /** What "not here yet" adds, once. */
  notHereYet: days(14),
  /** From when on a posted order may be called missing. */
  missing: days(10, 'ORDER_MISSING_DAYS'),
  missingAbroad: days(25, 'ORDER_MISSING_ABROAD_DAYS'),
  problem: hours(72, 'ORDER_PROBLEM_HOURS'),
  /** The first three sales of a seller whose buyers did not say themselves that the book is there. */
  newSeller: days(14),
  /** A trader's buyer in the European Union may withdraw. */
  withdraw: days(14, 'ORDER_WITHDRAW_DAYS'),
  /** Within which who withdrew sends the book back, as the law says. */
  withdrawReturn: days(14),
  answer: workingDays(3, 'ORDER_ANSWER_DAYS'),
  /** Until a problem that no admin has decided is the buyer's. */
  decide: days(60),
  /** Until the buyer of a parcel that came back has chosen. */
  cameBack: workingDays(5),
  return: days(10, 'ORDER_RETURN_DAYS'),
  returnPosted: days(21),
  returnArrived: days(7),
  /** How long after its end money of an order may still be given back. */
  refund: days(180, 'ORDER_REFUND_DAYS'),
  /** What is at least left of a deadline that a bank had stopped. */
  thaw: workingDays(1),
} as const satisfies Record<string, Deadline>;

export type DeadlineName = keyof typeof ORDER_DEADLINES;

/** By what the shop counts its days: an IANA time zone and the days on which nobody works, as `YYYY-MM-DD`. */
export interface ShopCalendar {
  readonly timeZone: string;
  readonly holidays: ReadonlySet<string>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The day after `day`; days are `YYYY-MM-DD` and know no zone. */
const nextDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

const SUNDAY = 0;
const SATURDAY = 6;

const isWorkingDay = (day: string, holidays: ReadonlySet<string>): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== SUNDAY && weekday !== SATURDAY && !holidays.has(day);
};

/** The end (23:59:59) of the `count`-th working day after the day of `from` in the shop's zone. */
export const workingDaysAfter = (from: Date, count: number, { timeZone, holidays }: ShopCalendar): Date => {
  let day = dayIn(from, timeZone);
  for (let left = count; left > 0;) {
    day = nextDay(day);
    if (isWorkingDay(day, holidays)) left -= 1;
  }
  return endOfDay(day, timeZone);
};

/** The instant at which a wait of `count` of a kind that began at `from` is over. */
export const dueAfter = (from: Date, kind: DeadlineKind, count: number, calendar: ShopCalendar): Date => {
  if (kind === 'working-days') return workingDaysAfter(from, count, calendar);
  return new Date(from.getTime() + count * (kind === 'days' ? DAY_MS : HOUR_MS));
};

/**
 * When an order whose clock stood goes on: after the rest of its deadline, but not before the end of `workingDays` from
 * now.
 */
export const dueAfterThaw = (now: Date, restMs: number, workingDays: number, calendar: ShopCalendar): Date =>
  new Date(Math.max(now.getTime() + restMs, workingDaysAfter(now, workingDays, calendar).getTime()));

/** A shop that stood still for longer than this gives everybody as much more time. */
export const STANDSTILL_MS = HOUR_MS;

/** Whether text names a day of the calendar, as `SHOP_HOLIDAYS` lists them: `2026-12-25`. */
export const isCalendarDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

/** Whether buyer and seller of an order still see how to reach each other: until `reachDays` after its end. */
export const isInReach = (closedAt: Date | null, now: Date, reachDays: number): boolean =>
  closedAt === null || now.getTime() < closedAt.getTime() + reachDays * DAY_MS;
