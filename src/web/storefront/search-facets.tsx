import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import type { Facets } from '#contract/search.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { Field } from '#web/ui/field.tsx';
import { CheckIcon } from '#web/ui/icons.tsx';
import { conditionsOf, searchPath, toggleCondition, withChoice, type SearchState } from './search-state.ts';

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
        {count.toLocaleString('en-US')}
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

/** A price of one's own; everything else of the search goes along. */
const OwnPrice = ({ state }: { state: SearchState }) => (
  <Form action="/search" className="mt-2 flex items-end gap-2" preventScrollReset>
    {Object.entries(state).map(
      ([key, value]) =>
        key !== 'min' && key !== 'max' && value !== '' && <input key={key} type="hidden" name={key} value={value} />,
    )}
    <Field
      key={`min${state.min}`}
      label="From $"
      name="min"
      inputMode="decimal"
      pattern="\d{1,4}(\.\d{1,2})?"
      defaultValue={state.min}
    />
    <Field
      key={`max${state.max}`}
      label="To $"
      name="max"
      inputMode="decimal"
      pattern="\d{1,4}(\.\d{1,2})?"
      defaultValue={state.max}
    />
    <Button type="submit" look="secondary">
      Go
    </Button>
  </Form>
);

/** All ways to narrow a result, each with the books it would leave. */
export const SearchFacets = ({ state, facets }: { state: SearchState; facets: Facets }) => {
  const conditions = conditionsOf(state);
  const isLeast = facets.more;
  return (
    <div>
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
      <Group title="Price">
        <Spans state={state} keys={['min', 'max']} spans={facets.price} isLeast={isLeast} unit="$" />
        <OwnPrice state={state} />
      </Group>
      <Group title="Seller and availability">
        <Choices>
          <ChoiceLink
            to={withChoice(state, { verified: state.verified === '1' ? '' : '1' })}
            isChosen={state.verified === '1'}
            count={facets.verified}
            isLeast={isLeast}
          >
            Verified sellers
          </ChoiceLink>
          <ChoiceLink
            to={withChoice(state, { available: state.available === '1' ? '' : '1' })}
            isChosen={state.available === '1'}
            count={facets.available}
            isLeast={isLeast}
          >
            Available now
          </ChoiceLink>
        </Choices>
      </Group>
      <Group title="Location">
        <Choices>
          {facets.location.map(({ value, count }) => {
            const isChosen = state.location === value;
            const to = withChoice(state, { location: isChosen ? '' : value });
            return (
              <ChoiceLink key={value} to={to} isChosen={isChosen} count={count} isLeast={isLeast}>
                {value}
              </ChoiceLink>
            );
          })}
        </Choices>
      </Group>
      {facets.year.length > 0 && (
        <Group title="Published">
          <Spans state={state} keys={['from', 'to']} spans={facets.year} isLeast={isLeast} unit="" />
        </Group>
      )}
    </div>
  );
};
