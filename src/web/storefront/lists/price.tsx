import { formatDollars } from '#contract/money/money.ts';

interface PriceProps {
  original: number;
  resale: number;
  /** On a page of its own. */
  large?: boolean;
  /** False where there is no room to say how much is saved. */
  saving?: boolean;
}

/** What a copy costs, beside what it cost new and what is saved. */
export const Price = ({ original, resale, large = false, saving: isSavingSaid = true }: PriceProps) => {
  const saving = original - resale;
  return (
    <p className={large ? 'price price-large' : 'price'} data-keep-clear={large || undefined}>
      <b>{formatDollars(resale)}</b>
      {saving > 0 && (
        <>
          <s>
            <span className="sr-only">Original price </span>
            {formatDollars(original)}
          </s>
          {isSavingSaid && <i>{`Save ${Math.round((saving / original) * 100)}%`}</i>}
        </>
      )}
    </p>
  );
};
