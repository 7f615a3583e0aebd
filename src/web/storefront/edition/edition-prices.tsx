import { LEAST_SALES, LEAST_SELLERS } from '#contract/catalog/editions/edition-calls.ts';
import type { EditionAnswer } from '#contract/catalog/editions/edition-page.ts';
import { priceHelpOf } from '#contract/catalog/price-help.ts';

/** What copies are asked and were sold for here, by condition; nothing where nothing may be told. */
export const EditionPrices = ({ prices }: Pick<EditionAnswer, 'prices'>) => {
  if (prices.length === 0) return null;
  return (
    <section aria-labelledby="prices-title" className="max-w-prose">
      <h2 id="prices-title" className="mb-2 font-serif text-xl font-semibold">
        What it costs here
      </h2>
      <dl className="border-b border-base-300">
        {prices.map(({ condition, ...known }) => (
          <div key={condition} className="flex flex-wrap gap-x-3 border-t border-base-300 py-2.5">
            <dt className="w-32 max-w-full text-muted">{condition}</dt>
            <dd className="min-w-[min(8rem,100%)] flex-1">{priceHelpOf(known)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-muted">
        {`What copies were sold for is told once ${LEAST_SALES} were sold in 12 months by ${LEAST_SELLERS} sellers, none with more than half of them. The middle half of them cost between the two prices.`}
      </p>
    </section>
  );
};
