import { Link } from 'react-router';
import { formatCount } from '#contract/count.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import type { SearchAnswer } from '#contract/catalog/search.ts';
import { useCategories } from '#web/shell/data/categories.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import { foundWords, quoted } from './found-words.ts';
import { asksForFacts, choicesOf, type Names } from './search-choices.ts';
import { asAnswered, searchPath, withChoice, withoutChoices, type SearchState } from './search-state.ts';
import type { GatheredCopy } from './gathered.tsx';

/** What was found, its copies as the page shows them. */
export type FoundCopies = Omit<SearchAnswer, 'listings' | 'gathered' | 'reduced'> & {
  readonly listings: readonly GatheredCopy[];
};

export interface SearchShown {
  state: SearchState;
  answer: FoundCopies;
}

/** What is shown in place of what was typed. */
const Instead = ({ state, answer }: SearchShown) => {
  const { corrected, understood, left_out } = answer;
  if (state.q === undefined || (corrected === null && left_out.length === 0)) return null;
  const shown = corrected ?? understood?.q ?? '';
  return (
    <p className="mt-1">
      {left_out.length > 0
        ? `No copy matches all of ${quoted(state.q)}.`
        : `Nothing was found for ${quoted(understood?.q ?? state.q)}.`}
      {shown !== '' && ` Showing ${quoted(shown)}.`}
    </p>
  );
};

/** Digits say little: the copies of an ISBN are called by their title. */
const titleOf = ({ state, answer }: SearchShown): string => {
  if (state.q === undefined) return 'All books';
  const [first] = answer.listings;
  const isIsbn = normaliseIsbn(state.q) === first?.isbn13;
  return isIsbn && first !== undefined
    ? `Copies of ${quoted(first.title)}`
    : `Results for ${quoted(asAnswered(state, answer).q ?? state.q)}`;
};

export const Heading = ({ state, answer }: SearchShown) => (
  <header>
    <h1 dir="auto" className="font-serif text-3xl font-semibold break-words">
      {titleOf({ state, answer })}
    </h1>
    <p role="status" className="mt-1 text-muted">
      {foundWords(answer)}
    </p>
    <Instead state={state} answer={answer} />
    {answer.understood !== null && Object.keys(answer.understood).length > 1 && (
      <p className="mt-1">
        Some of your words became filters. Remove any of them below, or{' '}
        <Link to={searchPath(withChoice(state, { literal: '1' }))} className="text-link">
          search for all of the words
        </Link>
        .
      </p>
    )}
    {answer.instead !== null && (
      <p className="mt-1">
        Did you mean{' '}
        <Link to={searchPath(withChoice(state, { q: answer.instead }))} className="text-link">
          {answer.instead}
        </Link>
        ?
      </p>
    )}
  </header>
);

/** Of how many more books it is not known whether they are what was chosen. */
export const NotKnown = ({ state, answer }: SearchShown) => {
  const unknown = answer.facets?.unknown ?? 0;
  if (unknown === 0 || state.unknown === '1' || !asksForFacts(state)) return null;
  return (
    <p className="mt-1">
      {unknown === 1 ? 'Of 1 more book it is' : `Of ${formatCount(unknown)} more books it is`} not known whether all of
      this is so.{' '}
      <Link to={searchPath(withChoice(state, { unknown: '1' }))} preventScrollReset className="text-link">
        Include {unknown === 1 ? 'it' : 'them'}
      </Link>
    </p>
  );
};

/** What narrows the result, each with its own way out. */
export const Chosen = ({ state, answer }: SearchShown) => {
  const categories = useCategories();
  const names: Names = {
    category: (id) => categories.find(({ category_id }) => category_id === id)?.category_name ?? id,
    near: answer.near,
    sellers: answer.facets?.seller ?? [],
  };
  const choices = choicesOf(state, names);
  if (choices.length === 0) return null;
  return (
    <ul aria-label="Filters" className="mt-4 flex flex-wrap items-center gap-2">
      {choices.map(({ label, without }) => (
        <li key={label}>
          <Link
            to={searchPath(without)}
            preventScrollReset
            className="badge h-auto min-h-8 max-w-full gap-1 border-base-300 bg-base-100 text-sm"
          >
            <span className="sr-only">Remove filter: </span>
            <span className="min-w-0 break-words">{label}</span>
            <CloseIcon className="size-4 shrink-0" />
          </Link>
        </li>
      ))}
      <li>
        <Link to={searchPath(withoutChoices(state))} preventScrollReset className="text-link text-sm">
          Clear all
        </Link>
      </li>
    </ul>
  );
};
