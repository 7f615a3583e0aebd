import {
  Form,
  Link,
  useLoaderData,
  useLocation,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { normaliseIsbn } from '#contract/isbn.ts';
import { searchListings, type SearchAnswer } from '#contract/search.ts';
import { call } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { useCategories } from '#web/shell/categories.ts';
import { Drawer } from '#web/shell/drawer.tsx';
import { loadInBrowser, loadOnServer } from '#web/shell/load.ts';
import { pageMeta } from '#web/shell/page-meta.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { BookingModal } from './booking-modal.tsx';
import { CategoryLinks } from './category-links.tsx';
import { foundWords } from './found-words.ts';
import { ListingGrid } from './listing-grid.tsx';
import { SearchFacets } from './search-facets.tsx';
import {
  choicesOf,
  queryOf,
  searchPath,
  searchStateOf,
  sortOf,
  withChoice,
  withoutChoices,
  type SearchState,
} from './search-state.ts';
import { useShelf } from './use-shelf.ts';

export { shouldRevalidate } from './book-param.ts';

const load = async (api: Api, request: Request): Promise<SearchAnswer> => {
  const { searchParams } = new URL(request.url);
  const cursor = searchParams.get('cursor') ?? undefined;
  return api.call(searchListings, { query: { ...queryOf(searchStateOf(searchParams)), facets: '1', cursor } });
};

export const loader = ({ context, request }: LoaderFunctionArgs) => loadOnServer(context, (api) => load(api, request));
export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => loadInBrowser((api) => load(api, request));

export const meta: MetaFunction<typeof loader> = ({ location }) => {
  const { q } = searchStateOf(new URLSearchParams(location.search));
  return [
    ...pageMeta(q === undefined ? 'Search' : `Search: ${q}`, 'Find a second-hand book by title, author or ISBN.'),
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
    className="flex items-center gap-2"
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
      className="select h-11 w-40 text-base sm:w-48 sm:text-sm"
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

const Heading = ({ state, answer }: { state: SearchState; answer: SearchAnswer }) => (
  <header>
    <h1 className="font-serif text-3xl font-semibold break-words">
      {state.q === undefined ? 'All books' : `Results for ${quoted(answer.corrected ?? state.q)}`}
    </h1>
    <p role="status" className="mt-1 text-muted">
      {foundWords(answer)}
    </p>
    {answer.corrected !== null && state.q !== undefined && (
      <p className="mt-1">
        Nothing was found for {quoted(state.q)}.
        {answer.left_out.length > 0 && ` No book has ${answer.left_out.map(quoted).join(', ')}.`}
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

/** What narrows the result, each with its own way out. */
const Chosen = ({ state }: { state: SearchState }) => {
  const categories = useCategories();
  const nameOf = (id: string): string => categories.find(({ category_id }) => category_id === id)?.category_name ?? id;
  const choices = choicesOf(state, nameOf);
  if (choices.length === 0) return null;
  return (
    <ul aria-label="Chosen" className="mt-4 flex flex-wrap items-center gap-2">
      {choices.map(({ label, without }) => (
        <li key={label}>
          <Link
            to={searchPath(without)}
            preventScrollReset
            className="badge h-8 gap-1 border-base-300 bg-base-100 text-sm"
          >
            {label}
            <CloseIcon className="size-4" />
            <span className="sr-only">, take out</span>
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
const isWrongIsbn = (text: string): boolean =>
  /^(97[89])?[\d-]{9,14}[\dXx]$/.test(text.replaceAll(' ', '')) && normaliseIsbn(text) === undefined;

const Nothing = ({ state }: { state: SearchState }) => {
  const isNarrowed = searchPath(state) !== searchPath(withoutChoices(state));
  return (
    <EmptyState
      title="No book fits this search"
      action={
        <Link to={isNarrowed ? searchPath(withoutChoices(state)) : '/'} className={buttonClass('secondary')}>
          {isNarrowed ? 'Search without the choices' : 'See all books'}
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

const Results = ({ state, answer }: { state: SearchState; answer: SearchAnswer }) => {
  const first = { rows: answer.listings, next: answer.next ?? undefined };
  const asFound = answer.corrected === null ? state : { ...state, q: answer.corrected };
  const shelf = useShelf(first, async (cursor) => {
    const page = await call(searchListings, { query: { ...queryOf(asFound), cursor } });
    return { rows: page.listings, next: page.next ?? undefined };
  });
  const choices = choicesOf(state, (id) => id).length;
  return (
    <div className="page grid gap-8 py-8 sm:py-10 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <aside aria-labelledby="facets-title" className="max-lg:contents">
        <Drawer
          id={FACETS_ID}
          side="left"
          inPlace
          head={
            <h2 id="facets-title" className="font-serif text-lg font-semibold">
              Narrow down
            </h2>
          }
        >
          {answer.facets !== undefined && <SearchFacets state={asFound} facets={answer.facets} />}
        </Drawer>
      </aside>
      <div className="min-w-0">
        <Heading state={state} answer={answer} />
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
          <button type="button" className={buttonClass('secondary', 'md', 'lg:hidden')} popoverTarget={FACETS_ID}>
            {choices === 0 ? 'Narrow down' : `Narrow down (${choices})`}
          </button>
          <div className="ml-auto">
            <SortForm state={asFound} />
          </div>
        </div>
        <Chosen state={asFound} />
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
  const state = searchStateOf(new URLSearchParams(search));
  return <Results key={searchPath(state)} state={state} answer={answer} />;
};
export default SearchPage;
