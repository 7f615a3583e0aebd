import { formatDollars } from '#contract/money/money.ts';
import { classes } from '#web/ui/classes.ts';

interface PriceProps {
  original: number;
  resale: number;
  /** On a page of its own. */
  large?: boolean;
}

/** What a copy costs, beside what it cost new and what is saved. */
export const Price = ({ original, resale, large = false }: PriceProps) => {
  const saving = original - resale;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2" data-keep-clear={large || undefined}>
      <span className={classes('font-serif font-bold', large ? 'text-3xl' : 'text-xl')}>{formatDollars(resale)}</span>
      {saving > 0 && (
        <>
          <s className="text-sm text-muted">
            <span className="sr-only">Original price </span>
            {formatDollars(original)}
          </s>
          <span className="text-sm font-medium text-success">Save {Math.round((saving / original) * 100)}%</span>
        </>
      )}
    </p>
  );
};
