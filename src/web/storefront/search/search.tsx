import { useMemo } from 'react';
import {
  Form,
  Link,
  redirect,
  useLoaderData,
  useLocation,
  useNavigation,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { formatCount } from '#contract/count.ts';
import { looksLikeIsbn, normaliseIsbn } from '#contract/catalog/isbn.ts';
import { searchListings, type SearchAnswer } from '#contract/catalog/search.ts';
import { call } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { useCategories } from '#web/shell/data/categories.ts';
import { Drawer } from '#web/shell/layout/drawer.tsx';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { sharedMeta } from '#web/shell/layout/page-meta.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { CategoryLinks } from '#web/storefront/lists/category-links.tsx';
import { foundWords, showWords } from './found-words.ts';
import { listedCopy, type ListedCopy } from '#web/storefront/lists/listed-copy.ts';
import { ListingGrid } from '#web/storefront/lists/listing-grid.tsx';
import { hasFacets, SearchFacets } from './search-facets.tsx';
import { NearNote } from './near-facet.tsx';
import { asksForFacts, choicesOf, type Names } from './search-choices.ts';
import {
  asAnswered,
  priceMistakesOf,
  queryOf,
  searchPath,
  searchStateOf,
  sortOf,
  withChoice,
  withoutChoices,
  withoutEmpty,
  type PriceMistakes,
  type SearchState,
} from './search-state.ts';
import { useShelf } from '#web/storefront/lists/use-shelf.ts';

export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

/** What was found, its copies as the page shows them. */
type Found = Omit<SearchAnswer, 'listings'> & { readonly listings: readonly ListedCopy[] };

const load = async (api: Api, request: Request): Promise<SearchAnswer> => {
  const { searchParams } = new URL(request.url);
  const cursor = searchParams.get('cursor') ?? undefined;
  return api.call(searchListings, { query: { ...queryOf(searchStateOf(searchParams)), facets: '1', cursor } });
};

/** A form sends its empty fields too; they leave the address. */
const tidyAddress = (request: Request): void => {
  const tidy = withoutEmpty(new URL(request.url));
  if (tidy !== undefined) throw redirect(tidy);
};

export const loader = ({ context, request }: LoaderFunctionArgs) => {
  tidyAddress(request);
  return loadOnServer(context, async (api) => {
    const answer = await load(api, request);
    return { ...answer, listings: answer.listings.map(listedCopy) };
  });
};
export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => {
  tidyAddress(request);
  return loadInBrowser((api) => load(api, request));
};

export const meta: MetaFunction<typeof loader> = (args) => {
  const state = searchStateOf(new URLSearchParams(args.location.search));
  return [
    ...sharedMeta(args, {
      title: state.q === undefined ? 'Search' : `Search: ${state.q}`,
      description: 'Find a second-hand book by title, author or ISBN.',
      path: searchPath(state),
    }),
    // Results change by the minute and lead to pages that can be found themselves.
    { name: 'robots', content: 'noindex, follow' },
  ];
};

const SORTS = [
  ['relevance', 'Best match'],
  ['newest', 'Newest'],
  ['price-up', 'Price: low to high'],
  ['price-down', 'Price: high to low'],
  ['saving', 'Greatest saving'],
] as const;

/** The order, as a form that also works without JavaScript. */
const SortForm = ({ state }: { state: SearchState }) => (
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

const quoted = (text: string): string => `“${text}”`;

interface SearchShown {
  state: SearchState;
  answer: Found;
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

const Heading = ({ state, answer }: SearchShown) => (
  <header>
    <h1 className="font-serif text-3xl font-semibold break-words">
      {state.q === undefined ? 'All books' : `Results for ${quoted(asAnswered(state, answer).q ?? state.q)}`}
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
const NotKnown = ({ state, answer }: SearchShown) => {
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
const Chosen = ({ state, answer }: SearchShown) => {
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

/** Ten or thirteen digits that are no ISBN: the commonest reason to find nothing. */
const isWrongIsbn = (text: string): boolean => looksLikeIsbn(text) && normaliseIsbn(text) === undefined;

const Nothing = ({ state }: { state: SearchState }) => {
  const isNarrowed = searchPath(state) !== searchPath(withoutChoices(state));
  return (
    <EmptyState
      title={
        isNarrowed || state.q === undefined ? 'No book fits this search' : `We don’t have ${quoted(state.q)} right now`
      }
      action={
        <Link to={isNarrowed ? searchPath(withoutChoices(state)) : '/'} className={buttonClass('secondary')}>
          {isNarrowed ? 'Search without filters' : 'See all books'}
        </Link>
      }
    >
      {state.q !== undefined && isWrongIsbn(state.q)
        ? 'This looks like an ISBN, but its check digit is wrong: please compare it with the back cover.'
        : 'Fewer words find more, and the author’s last name alone is often enough. Or look through a category:'}
      <div className="mt-4 text-left">
        <CategoryLinks />
      </div>
    </EmptyState>
  );
};

const FACETS_ID = 'facets';

/** What of the address could not be read as a price, for whoever does not see the field. */
const Mistakes = ({ min, max }: PriceMistakes) => {
  const wrong = [min, max].filter((value) => value !== undefined);
  if (wrong.length === 0) return null;
  return (
    <p className="mt-2 text-error">
      {wrong.map(quoted).join(' and ')} {wrong.length === 1 ? 'is not a price' : 'are not prices'}: type one such as 5
      or 7.50. Until then books of every price are shown.
    </p>
  );
};

/** At the foot of the drawer, which stays open while one chooses: closes it and shows what was found. */
const ShowFound = ({ answer }: { answer: Found }) => {
  const { state } = useNavigation();
  return (
    <div className="sticky -bottom-4 -mx-4 -mb-4 border-t border-base-300 bg-base-100 p-4 lg:hidden">
      <button
        type="button"
        className={buttonClass('primary', 'md', 'w-full')}
        popoverTarget={FACETS_ID}
        popoverTargetAction="hide"
        aria-busy={state !== 'idle' || undefined}
      >
        {showWords(answer)}
      </button>
    </div>
  );
};

interface ResultsProps {
  state: SearchState;
  answer: Found;
  mistakes: PriceMistakes;
}

const Results = ({ state, answer, mistakes }: ResultsProps) => {
  // One answer is one list: read on, it stays the same list while the page is drawn again.
  const first = useMemo(() => ({ rows: answer.listings, next: answer.next ?? undefined }), [answer]);
  const asFound = asAnswered(state, answer);
  const shelf = useShelf(
    first,
    async (cursor) => {
      const page = await call(searchListings, { query: { ...queryOf(asFound), cursor } });
      return { rows: page.listings, next: page.next ?? undefined };
    },
    searchPath(state),
  );
  const choices = choicesOf(asFound, { category: (id) => id }).length;
  const facets = answer.facets && { state: asFound, facets: answer.facets, near: answer.near, mistakes };
  const canNarrow = facets !== undefined && hasFacets(facets);
  return (
    <div className={classes('page grid gap-8 py-8 sm:py-10', canNarrow && 'lg:grid-cols-[15rem_minmax(0,1fr)]')}>
      {canNarrow && (
        <aside aria-labelledby="facets-title" className="max-lg:contents">
          <Drawer
            id={FACETS_ID}
            side="left"
            inPlace
            stays
            head={
              <h2 id="facets-title" className="font-serif text-lg font-semibold">
                Filter
              </h2>
            }
          >
            <SearchFacets {...facets} />
            <ShowFound answer={answer} />
          </Drawer>
        </aside>
      )}
      <div className="min-w-0">
        <Heading state={state} answer={answer} />
        <NearNote state={asFound} near={answer.near} />
        <NotKnown state={asFound} answer={answer} />
        <Mistakes {...mistakes} />
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          {canNarrow && (
            <button type="button" className={buttonClass('secondary', 'md', 'lg:hidden')} popoverTarget={FACETS_ID}>
              {choices === 0 ? 'Filter' : `Filter (${choices})`}
            </button>
          )}
          {answer.listings.length > 0 && (
            <div className="ml-auto max-w-full">
              <SortForm state={asFound} />
            </div>
          )}
        </div>
        <Chosen state={asFound} answer={answer} />
        <div className="mt-6">
          <ListingGrid shelf={shelf} columns={2} heading="h2" empty={<Nothing state={state} />} />
        </div>
      </div>
      <BookingModal onLearned={shelf.mark} />
    </div>
  );
};

const SearchPage = () => {
  const answer = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const params = new URLSearchParams(search);
  const state = searchStateOf(params);
  return <Results state={state} answer={answer} mistakes={priceMistakesOf(params)} />;
};
export default SearchPage;
