import {
  dueAfter,
  dueAfterThaw,
  ORDER_DEADLINES,
  type DeadlineName,
  type ShopCalendar,
} from '#contract/orders/deadlines.ts';
import type { Due, Next, Reminder } from '#contract/orders/move.ts';
import type { Order } from './order.queries.ts';

/** By what orders count: how long each wait is, in its own unit, and the days of the shop. */
export interface OrderClock {
  readonly calendar: ShopCalendar;
  readonly lengths: Readonly<Record<DeadlineName, number>>;
}

/** What about an order makes a wait longer. */
export interface Cases {
  readonly isAbroad: boolean;
  readonly isNewSeller: boolean;
  readonly mayWithdraw: boolean;
  readonly isOnItsWay: boolean;
}

const DAY_MS = 86_400_000;

const lengthOf = (name: DeadlineName, order: Pick<Order, 'daysToPost'>, { lengths }: OrderClock): number =>
  name === 'promise' ? order.daysToPost : lengths[name];

const after = (from: Date, name: DeadlineName, count: number, { calendar }: OrderClock): Date =>
  dueAfter(from, ORDER_DEADLINES[name].kind, count, calendar);

/** When a wait that begins at `from` is over; a second one that follows it counts on in the same days. */
const endOf = (from: Date, next: Next, order: Pick<Order, 'daysToPost'>, clock: OrderClock): Date => {
  const count = lengthOf(next.after, order, clock) + (next.plus === undefined ? 0 : clock.lengths[next.plus]);
  return after(from, next.after, count, clock);
};

const latest = (dates: readonly Date[]): Date => new Date(Math.max(...dates.map((date) => date.getTime())));

const reminderAt = (reminder: Reminder, from: Date, dueAt: Date, promised: Date): Date => {
  if ('daysAfter' in reminder) return new Date(from.getTime() + reminder.daysAfter * DAY_MS);
  if ('daysBefore' in reminder) return new Date(dueAt.getTime() - reminder.daysBefore * DAY_MS);
  // In the morning of the day that ends with the promise.
  return new Date(promised.getTime() - DAY_MS / 2);
};

/** What is due after a move, and who is reminded before. */
export interface DueNext {
  readonly dueAt: Date;
  readonly dueMove: Next['move'];
  readonly reminders: readonly { readonly kind: string; readonly at: Date }[];
}

/** The deadline that a move begins at `from`. */
export const dueNext = (
  from: Date,
  next: Next,
  order: Pick<Order, 'daysToPost'>,
  cases: Cases,
  clock: OrderClock,
): DueNext => {
  const { abroad, 'new-seller': newSeller, 'trader-to-consumer': withdraw, 'on-its-way': onItsWay } = next.cases ?? {};
  const dueAt = latest([
    endOf(from, next, order, clock),
    ...(cases.isAbroad && abroad !== undefined ? [after(from, abroad, clock.lengths[abroad], clock)] : []),
    ...(cases.isOnItsWay && onItsWay !== undefined ? [after(from, onItsWay, clock.lengths[onItsWay], clock)] : []),
    ...(cases.isNewSeller && newSeller !== undefined ? [after(from, newSeller, clock.lengths[newSeller], clock)] : []),
    ...(cases.mayWithdraw && withdraw !== undefined ? [after(from, withdraw, clock.lengths[withdraw], clock)] : []),
  ]);
  const promised = after(from, next.after, lengthOf(next.after, order, clock), clock);
  const reminders = (next.reminders ?? [])
    .map((reminder, at) => ({ kind: `${reminder.to}:${at}`, at: reminderAt(reminder, from, dueAt, promised) }))
    .filter(({ at }) => at > from && at < dueAt);
  return { dueAt, dueMove: next.move, reminders };
};

/**
 * Who is reminded before a deadline that was put off to `dueAt`, of those that it was begun with. Each has a name of
 * its own: who was reminded of the first deadline is reminded of this one, too.
 */
export const remindersAgain = (next: Next, dueAt: Date): DueNext['reminders'] =>
  (next.reminders ?? []).flatMap((reminder, at) =>
    'daysBefore' in reminder
      ? [{ kind: `${reminder.to}:${at}:again`, at: new Date(dueAt.getTime() - reminder.daysBefore * DAY_MS) }]
      : [],
  );

/** Whether a deadline is a new one. */
export const isNext = (due: Due): due is Next => typeof due !== 'string';

/** When an order whose clock stood goes on. */
export const dueAgain = (now: Date, leftMs: number, { calendar, lengths }: OrderClock): Date =>
  dueAfterThaw(now, leftMs, lengths.thaw, calendar);

/** By what the orders of a shop count: its zone and holidays, and the lengths that its operator has set. */
export const orderClockOf = (config: {
  readonly shopTimeZone: string;
  readonly orders: { readonly holidays: ReadonlySet<string>; readonly lengths: Readonly<Record<string, number>> };
}): OrderClock => {
  const { holidays, lengths } = config.orders;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the keys of a constant
  const names = Object.keys(ORDER_DEADLINES) as DeadlineName[];
  const lengthOfName = (name: DeadlineName): number => {
    const { variable, default: usual } = ORDER_DEADLINES[name];
    return variable === null ? usual : (lengths[variable] ?? usual);
  };
  return {
    calendar: { timeZone: config.shopTimeZone, holidays },
    // oxlint-disable-next-line typescript/consistent-type-assertions -- every name has its length
    lengths: Object.fromEntries(names.map((name) => [name, lengthOfName(name)])) as Record<DeadlineName, number>,
  };
};
