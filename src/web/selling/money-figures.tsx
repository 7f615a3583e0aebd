import { formatDollars } from '#contract/money/money.ts';
import { classes } from '#web/ui/classes.ts';

const FIGURES = [
  ['pending', 'Pending', 'due once its orders are closed'],
  ['due', 'Due', 'paid out next'],
  ['onItsWay', 'On its way', 'asked to be paid out'],
  ['paidOut', 'Paid out', 'sent to you so far'],
] as const;

/** Where a seller's money is, in dollars; what is due is below zero where they owe. */
export const MoneyFigures = ({
  figures,
}: {
  figures: { pending: number; due: number; onItsWay: number; paidOut?: number };
}) => (
  <dl
    aria-label="Where your money is"
    className={classes(
      'mb-6 grid grid-cols-2 gap-3',
      figures.paidOut === undefined ? 'lg:grid-cols-3' : 'xl:grid-cols-4',
    )}
  >
    {FIGURES.map(([key, name, says]) => {
      const dollars = figures[key];
      if (dollars === undefined) return null;
      const owes = key === 'due' && dollars < 0;
      return (
        <div key={key} className="flex flex-col rounded-box border border-base-300 bg-base-100 p-4">
          <dt className="text-sm font-semibold">{owes ? 'You owe the shop' : name}</dt>
          <dd className="font-serif text-2xl font-bold tabular-nums">{formatDollars(Math.abs(dollars))}</dd>
          <dd className="text-sm text-muted">{owes ? 'taken from your next sales' : says}</dd>
        </div>
      );
    })}
  </dl>
);
