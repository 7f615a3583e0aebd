import { formatDollars } from '#contract/money.ts';

/** What a copy costs, beside what it cost new and what is saved. */
export const Price = ({ original, resale }: { original: number; resale: number }) => {
  const saving = original - resale;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="font-serif text-xl font-bold">{formatDollars(resale)}</span>
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
