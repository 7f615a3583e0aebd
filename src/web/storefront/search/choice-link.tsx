import type { ReactNode } from 'react';
import { formatCount } from '#contract/count.ts';
import { searchPath, toggleValue, valuesOf, withChoice, type SearchState } from './search-state.ts';

export const Group = ({ title, children }: { title: string; children: ReactNode }) => (
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
  /** One of several that exclude each other. */
  isOne?: boolean;
  children: ReactNode;
}

/** A choice as a link, so that it works without JavaScript; chosen, it takes itself back. */
export const ChoiceLink = ({ to, isChosen, count, isLeast, isOne = false, children }: ChoiceLinkProps) => (
  <li>
    <a
      href={searchPath(to)}
      data-stay=""
      aria-current={isChosen ? 'true' : undefined}
      className={isOne ? 'choice one' : 'choice'}
    >
      <span>{children}</span> <b>{isLeast ? `${formatCount(count)}+` : formatCount(count)}</b>
      <i>{isLeast ? ' or more books' : ' books'}</i>
    </a>
  </li>
);

export const Choices = ({ children }: { children: ReactNode }) => <ul className="choices">{children}</ul>;

interface YesNoProps {
  state: SearchState;
  name: 'verified' | 'available' | 'signed' | 'first' | 'jacket' | 'unknown';
  count: number;
  isLeast: boolean;
  children: ReactNode;
}

/** A choice that is made or not; not offered where it would leave nothing. */
export const YesNo = ({ state, name, count, isLeast, children }: YesNoProps) => {
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

interface OneOfProps {
  state: SearchState;
  name: 'category' | 'publisher' | 'seller' | 'since' | 'location';
  /** What else of the search goes when one is chosen. */
  instead?: SearchState;
  choices: readonly { readonly value: string; readonly name?: string; readonly count: number }[];
  isLeast: boolean;
}

/** Choices of which one is made; none where there is nothing to choose. */
export const OneOf = ({ state, name, instead = {}, choices, isLeast }: OneOfProps) => (
  <Choices>
    {choices.map(({ value, name: shown = value, count }) => {
      const isChosen = state[name] === value;
      const to = withChoice(state, { [name]: isChosen ? '' : value, ...instead });
      return (
        <ChoiceLink key={value} to={to} isChosen={isChosen} count={count} isLeast={isLeast} isOne>
          {shown}
        </ChoiceLink>
      );
    })}
  </Choices>
);

interface SomeOfProps {
  state: SearchState;
  name: 'condition' | 'binding' | 'language' | 'without';
  choices: readonly { readonly value: string; readonly name?: string; readonly count: number }[];
  isLeast: boolean;
}

/** Choices of which several are made; what is chosen stays offered where it leaves nothing. */
export const SomeOf = ({ state, name, choices, isLeast }: SomeOfProps) => {
  const chosen = valuesOf(state, name);
  const offered = choices.filter(({ value, count }) => count > 0 || chosen.includes(value));
  return (
    <Choices>
      {offered.map(({ value, name: shown = value, count }) => (
        <ChoiceLink
          key={value}
          to={toggleValue(state, name, value)}
          isChosen={chosen.includes(value)}
          count={count}
          isLeast={isLeast}
        >
          {shown}
        </ChoiceLink>
      ))}
    </Choices>
  );
};
