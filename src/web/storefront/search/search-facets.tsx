import { Form } from 'react-router';
import type { Facets, Near } from '#contract/catalog/search.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { ChoiceLink, Choices, Group, OneOf, SomeOf, YesNo } from './choice-link.tsx';
import { CopyFacets } from './copy-facets.tsx';
import { NearForm } from './near-facet.tsx';
import { withChoice, type PriceMistakes, type SearchState } from './search-state.ts';

const hasSpan = (state: SearchState, keys: ['min', 'max'] | ['from', 'to'], span: Facets['price'][number]): boolean => {
  const [low, high] = keys;
  const text = (value: number | null): string | undefined => (value === null ? undefined : String(value));
  return state[low] === text(span.from) && state[high] === text(span.to) && (span.from !== null || span.to !== null);
};

const spanName = ({ from, to }: Facets['price'][number], unit: string): string => {
  if (from === null) return to === null ? 'Any' : unit === '$' ? `Under $${Math.ceil(to)}` : `Before ${to + 1}`;
  if (to === null) return unit === '$' ? `$${from} and more` : `${from} and later`;
  return unit === '$' ? `$${from} to $${Math.ceil(to)}` : `${from} to ${to}`;
};

interface SpansProps {
  state: SearchState;
  keys: ['min', 'max'] | ['from', 'to'];
  spans: Facets['price'];
  isLeast: boolean;
  unit: '$' | '';
}

const Spans = ({ state, keys, spans, isLeast, unit }: SpansProps) => (
  <Choices>
    {spans.map((span) => {
      const isChosen = hasSpan(state, keys, span);
      const [low, high] = keys;
      const to = isChosen
        ? { [low]: '', [high]: '' }
        : { [low]: String(span.from ?? ''), [high]: String(span.to ?? '') };
      return (
        <ChoiceLink
          key={String(span.from)}
          to={withChoice(state, to)}
          isChosen={isChosen}
          count={span.count}
          isLeast={isLeast}
          isOne
        >
          {spanName(span, unit)}
        </ChoiceLink>
      );
    })}
  </Choices>
);

const NO_PRICE = 'Type a price such as 5 or 7.50';

/** A price of one's own; everything else of the search goes along. */
const OwnPrice = ({ state, mistakes }: { state: SearchState; mistakes: PriceMistakes }) => (
  <Form action="/search" className="mt-2 flex items-start gap-2" preventScrollReset>
    {Object.entries(state).map(
      ([key, value]) =>
        key !== 'min' && key !== 'max' && value !== '' && <input key={key} type="hidden" name={key} value={value} />,
    )}
    {(['min', 'max'] as const).map((key) => (
      <Field
        key={`${key}${state[key]}${mistakes[key]}`}
        label={key === 'min' ? 'From $' : 'To $'}
        name={key}
        inputMode="decimal"
        pattern="\d{1,5}(\.\d{1,2})?"
        title={NO_PRICE}
        defaultValue={mistakes[key] ?? state[key]}
        error={mistakes[key] === undefined ? undefined : NO_PRICE}
      />
    ))}
    <Button type="submit" look="secondary" className="mt-6.5">
      Go
    </Button>
  </Form>
);

const hasOwnPrice = (state: SearchState, mistakes: PriceMistakes): boolean =>
  [state.min, state.max, mistakes.min, mistakes.max].some((value) => value !== undefined && value !== '');

interface SearchFacetsProps {
  state: SearchState;
  facets: Facets;
  near: Near | null;
  mistakes: PriceMistakes;
}

/** Whether there is anything to choose, or to take back. */
export const hasFacets = ({ state, facets, mistakes }: SearchFacetsProps): boolean => {
  const groups = [facets.category, facets.condition, facets.price, facets.location, facets.year, facets.seller];
  const { q: _typed, literal: _literal, sort: _sort, ...chosen } = state;
  return (
    hasOwnPrice(state, mistakes) || groups.some((group) => group.length > 0) || Object.values(chosen).some(Boolean)
  );
};

/** All ways to narrow a result, each with the books it would leave. A group without any is left out. */
export const SearchFacets = ({ state, facets, near, mistakes }: SearchFacetsProps) => {
  const isLeast = facets.more;
  const isOpen = facets.verified + facets.available > 0 || state.verified === '1' || state.available === '1';
  return (
    <div>
      {facets.category.length > 0 && (
        <Group title="Category">
          <OneOf state={state} name="category" choices={facets.category} isLeast={isLeast} />
        </Group>
      )}
      {facets.condition.length > 0 && (
        <Group title="Condition">
          <SomeOf state={state} name="condition" choices={facets.condition} isLeast={isLeast} />
        </Group>
      )}
      {(facets.price.length > 0 || hasOwnPrice(state, mistakes)) && (
        <Group title="Price">
          <Spans state={state} keys={['min', 'max']} spans={facets.price} isLeast={isLeast} unit="$" />
          <OwnPrice state={state} mistakes={mistakes} />
        </Group>
      )}
      {isOpen && (
        <Group title="Seller and availability">
          <Choices>
            <YesNo state={state} name="verified" count={facets.verified} isLeast={isLeast}>
              Verified sellers
            </YesNo>
            <YesNo state={state} name="available" count={facets.available} isLeast={isLeast}>
              Available now
            </YesNo>
          </Choices>
        </Group>
      )}
      <Group title="Location">
        <OneOf
          state={state}
          name="location"
          instead={{ near: '', within: '' }}
          choices={facets.location}
          isLeast={isLeast}
        />
        <NearForm state={state} near={near} />
      </Group>
      <CopyFacets state={state} facets={facets} />
      {facets.year.length > 0 && (
        <Group title="Published">
          <Spans state={state} keys={['from', 'to']} spans={facets.year} isLeast={isLeast} unit="" />
        </Group>
      )}
    </div>
  );
};
