import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { formatCount } from '#contract/count.ts';
import type { Facets } from '#contract/catalog/search.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Field } from '#web/ui/field.tsx';
import { CheckIcon } from '#web/ui/icons.tsx';
import {
  conditionsOf,
  searchPath,
  toggleCondition,
  withChoice,
  type PriceMistakes,
  type SearchState,
} from './search-state.ts';

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="border-t border-base-300 py-4 first:border-0 first:pt-0">
    <h3 className="mb-2 text-sm font-semibold">{title}</h3>
    {children}
  </section>
);

interface ChoiceLinkProps {
  to: SearchState;
  isChosen: boolean;
  count: number;
  /** There may be more. */
  isLeast: boolean;
  children: ReactNode;
}

/** A choice as a link, so that it works without JavaScript; chosen, it takes itself back. */
const ChoiceLink = ({ to, isChosen, count, isLeast, children }: ChoiceLinkProps) => (
  <li>
    <Link
      to={searchPath(to)}
      preventScrollReset
      aria-current={isChosen ? 'true' : undefined}
      className={classes(
        'flex min-h-8 items-center gap-2 rounded-field px-2 py-1 text-sm hover:bg-base-300/50',
        isChosen && 'bg-primary/10 font-semibold text-primary',
      )}
    >
      {isChosen && <CheckIcon className="size-4 shrink-0" />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <span className="text-muted tabular-nums">
        {formatCount(count)}
        {isLeast && <span aria-hidden="true">+</span>}
        <span className="sr-only">{isLeast ? ' or more books' : ' books'}</span>
      </span>
    </Link>
  </li>
);

const Choices = ({ children }: { children: ReactNode }) => <ul className="-mx-2 flex flex-col gap-0.5">{children}</ul>;

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
        pattern="\d{1,4}(\.\d{1,2})?"
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

interface YesNoProps {
  state: SearchState;
  name: 'verified' | 'available';
  count: number;
  isLeast: boolean;
  children: ReactNode;
}

/** A choice that is made or not; not offered where it would leave nothing. */
const YesNo = ({ state, name, count, isLeast, children }: YesNoProps) => {
  const isChosen = state[name] === '1';
  if (count === 0 && !isChosen) return null;
  return (
    <ChoiceLink
      to={withChoice(state, { [name]: isChosen ? '' : '1' })}
      isChosen={isChosen}
      count={count}
      isLeast={isLeast}
    >
      {children}
    </ChoiceLink>
  );
};

const hasOwnPrice = (state: SearchState, mistakes: PriceMistakes): boolean =>
  [state.min, state.max, mistakes.min, mistakes.max].some((value) => value !== undefined && value !== '');

interface SearchFacetsProps {
  state: SearchState;
  facets: Facets;
  mistakes: PriceMistakes;
}

/** Whether there is anything to choose, or to take back. */
export const hasFacets = ({ state, facets, mistakes }: SearchFacetsProps): boolean =>
  hasOwnPrice(state, mistakes) ||
  facets.verified + facets.available > 0 ||
  [facets.category, facets.condition, facets.price, facets.location, facets.year].some((group) => group.length > 0) ||
  state.verified === '1' ||
  state.available === '1';

/** All ways to narrow a result, each with the books it would leave. A group without any is left out. */
export const SearchFacets = ({ state, facets, mistakes }: SearchFacetsProps) => {
  const conditions = conditionsOf(state);
  const isLeast = facets.more;
  const ofSeller = facets.verified + facets.available > 0 || state.verified === '1' || state.available === '1';
  return (
    <div>
      {facets.category.length > 0 && (
        <Group title="Category">
          <Choices>
            {facets.category.map(({ value, name, count }) => {
              const isChosen = state.category === value;
              const to = withChoice(state, { category: isChosen ? '' : value });
              return (
                <ChoiceLink key={value} to={to} isChosen={isChosen} count={count} isLeast={isLeast}>
                  {name}
                </ChoiceLink>
              );
            })}
          </Choices>
        </Group>
      )}
      {facets.condition.length > 0 && (
        <Group title="Condition">
          <Choices>
            {facets.condition.map(({ value, count }) => (
              <ChoiceLink
                key={value}
                to={toggleCondition(state, value)}
                isChosen={conditions.includes(value)}
                count={count}
                isLeast={isLeast}
              >
                {value}
              </ChoiceLink>
            ))}
          </Choices>
        </Group>
      )}
      {(facets.price.length > 0 || hasOwnPrice(state, mistakes)) && (
        <Group title="Price">
          <Spans state={state} keys={['min', 'max']} spans={facets.price} isLeast={isLeast} unit="$" />
          <OwnPrice state={state} mistakes={mistakes} />
        </Group>
      )}
      {ofSeller && (
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
      {facets.location.length > 0 && (
        <Group title="Location">
          <Choices>
            {facets.location.map(({ value, count }) => {
              const isChosen = state.location === value;
              const to = withChoice(state, { location: isChosen ? '' : value, near: '' });
              return (
                <ChoiceLink key={value} to={to} isChosen={isChosen} count={count} isLeast={isLeast}>
                  {value}
                </ChoiceLink>
              );
            })}
          </Choices>
        </Group>
      )}
      {facets.year.length > 0 && (
        <Group title="Published">
          <Spans state={state} keys={['from', 'to']} spans={facets.year} isLeast={isLeast} unit="" />
        </Group>
      )}
    </div>
  );
};
