import { Form, Link } from 'react-router';
import { CONDITIONS, type Category } from '#contract/catalog/catalog.ts';
import type { StockFilter } from '#contract/stock/stock-copies.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { STANDINGS } from './stock-query.ts';

/** Searches and filters the stock; what is chosen stands in the address. */
export const FilterBar = ({
  filter,
  sort,
  categories,
}: {
  filter: StockFilter;
  sort: string;
  categories: readonly Category[];
}) => {
  const { q, ...narrowed } = filter;
  const isNarrowed = Object.keys(narrowed).length > 0;
  return (
    <Form key={JSON.stringify(filter)} role="search" aria-label="Your stock" className="mb-4 flex flex-col gap-3">
      {sort !== 'newest' && <input type="hidden" name="sort" value={sort} />}
      <div className="flex flex-wrap gap-2">
        <input
          type="search"
          name="q"
          defaultValue={q}
          maxLength={200}
          aria-label="Search your stock"
          placeholder="Title, author, SKU, ISBN or shelf"
          autoComplete="off"
          className="input h-11 min-w-0 flex-1 basis-56 text-base sm:text-sm"
        />
        <button type="submit" className={buttonClass('secondary')}>
          Search
        </button>
      </div>
      <details open={isNarrowed}>
        <summary className="w-fit cursor-pointer py-2 text-sm font-semibold">Filters</summary>
        <div className="grid grid-cols-2 gap-3 pt-2 sm:grid-cols-3 lg:grid-cols-5">
          <Select label="Where it stands" name="standing" defaultValue={filter.standing ?? ''}>
            {STANDINGS.map(([value, words]) => (
              <option key={value} value={value === 'there' ? '' : value}>
                {words}
              </option>
            ))}
          </Select>
          <Select label="Category" name="category" defaultValue={filter.category ?? ''}>
            <option value="">All</option>
            {categories.map(({ category_id, category_name }) => (
              <option key={category_id} value={category_id}>
                {category_name}
              </option>
            ))}
          </Select>
          <Select label="Condition" name="condition" defaultValue={filter.condition ?? ''}>
            <option value="">All</option>
            {CONDITIONS.map((condition) => (
              <option key={condition}>{condition}</option>
            ))}
          </Select>
          <Field label="From $" name="min" inputMode="decimal" defaultValue={filter.min ?? ''} />
          <Field label="To $" name="max" inputMode="decimal" defaultValue={filter.max ?? ''} />
        </div>
        <div className="mt-3 flex gap-3">
          <button type="submit" className={buttonClass('secondary', 'sm')}>
            Filter
          </button>
          {(isNarrowed || q !== undefined) && (
            <Link to="/dashboard/stock/copies" className={buttonClass('quiet', 'sm')}>
              Clear
            </Link>
          )}
        </div>
      </details>
    </Form>
  );
};
