import { Form } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { sortOf, type SearchState } from './search-state.ts';

const SORTS = [
  ['relevance', 'Best match'],
  ['newest', 'Newest'],
  ['price-up', 'Price: low to high'],
  ['price-down', 'Price: high to low'],
  ['saving', 'Greatest saving'],
] as const;

/** The order, as a form that also works without JavaScript. */
export const SortForm = ({ state }: { state: SearchState }) => (
  <Form
    action="/search"
    className="flex flex-wrap items-center gap-2"
    onChange={(event) => event.currentTarget.requestSubmit()}
    preventScrollReset
  >
    {Object.entries(state).map(
      ([key, value]) => key !== 'sort' && value !== '' && <input key={key} type="hidden" name={key} value={value} />,
    )}
    <label htmlFor="sort" className="text-sm font-semibold max-sm:sr-only">
      Sort
    </label>
    <select
      id="sort"
      key={sortOf(state)}
      name="sort"
      defaultValue={sortOf(state)}
      className="select h-11 w-40 max-w-full text-base sm:w-48 sm:text-sm"
    >
      {SORTS.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
    <noscript>
      <Button type="submit" look="secondary">
        Go
      </Button>
    </noscript>
  </Form>
);
