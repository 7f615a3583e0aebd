import { Suspense, useMemo } from 'react';
import {
  Link,
  redirect,
  useLoaderData,
  useLocation,
  useNavigation,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { looksLikeIsbn, normaliseIsbn } from '#contract/catalog/isbn.ts';
import { searchListings } from '#contract/catalog/search.ts';
import { call } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { Drawer } from '#web/shell/layout/drawer.tsx';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { TellMe } from '#web/shell/wants/tell-me.tsx';
import type { Wanted } from '#web/shell/wants/want-path.ts';
import { sharedMeta } from '#web/shell/layout/page-meta.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { BookingModal } from '#web/storefront/booking/booking-modal.tsx';
import { CategoryLinks } from '#web/storefront/lists/category-links.tsx';
import { quoted, showWords } from './found-words.ts';
import { besidesOf, CopyMore, gatheredOf, type GatheredCopy } from './gathered.tsx';
import { ListingGrid } from '#web/storefront/lists/listing-grid.tsx';
import { hasFacets, SearchFacets } from './search-facets.tsx';
import { NearNote } from './near-facet.tsx';
import { Chosen, Heading, NotKnown, type FoundCopies } from './result-head.tsx';
import { choicesOf } from './search-choices.ts';
import { SaveSearch } from '#web/storefront/marks/save-search.tsx';
import { SortForm } from './sort-form.tsx';
import {
  asAnswered,
  priceMistakesOf,
  queryOf,
  searchPath,
  searchStateOf,
  withoutChoices,
  withoutEmpty,
  type PriceMistakes,
  type SearchState,
} from './search-state.ts';
import { useShelf } from '#web/storefront/lists/use-shelf.ts';

export { shouldRevalidate } from '#web/storefront/booking/book-param.ts';

const load = async (api: Api, request: Request): Promise<FoundCopies> => {
  const { searchParams } = new URL(request.url);
  const cursor = searchParams.get('cursor') ?? undefined;
  const query = { ...queryOf(searchStateOf(searchParams)), facets: '1', gather: '1', cursor } as const;
  const { gathered, reduced, ...answer } = await api.call(searchListings, { query });
  return { ...answer, listings: gatheredOf({ listings: answer.listings, gathered, reduced }) };
};

/** A form sends its empty fields too; they leave the address. */
const tidyAddress = (request: Request): void => {
  const tidy = withoutEmpty(new URL(request.url));
  if (tidy !== undefined) throw redirect(tidy);
};

export const loader = ({ context, request }: LoaderFunctionArgs) => {
  tidyAddress(request);
  return loadOnServer(context, (api) => load(api, request));
};
export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => {
  tidyAddress(request);
  return loadInBrowser((api) => load(api, request));
};

/** The same search in the order of a feed. */
const feedOf = (state: SearchState): string => {
  const { sort: _sort, ...rest } = state;
  return searchPath(rest).split('?', 2)[1] ?? '';
};

export const meta: MetaFunction<typeof loader> = (args) => {
  const state = searchStateOf(new URLSearchParams(args.location.search));
  return [
    ...sharedMeta(args, {
      title: state.q === undefined ? 'Search' : `Search: ${state.q}`,
      description: 'Find a second-hand book by title, author or ISBN.',
      path: searchPath(state),
      feed: feedOf(state),
    }),
    // Results change by the minute and lead to pages that can be found themselves.
    { name: 'robots', content: 'noindex, follow' },
  ];
};

/** Ten or thirteen digits that are no ISBN: the commonest reason to find nothing. */
const isWrongIsbn = (text: string): boolean => looksLikeIsbn(text) && normaliseIsbn(text) === undefined;

/** What was searched for, as what somebody looks for. */
const wantedOf = ({ q = '', max, near }: SearchState): Wanted => {
  const isbn = normaliseIsbn(q);
  return { ...(isbn === undefined ? { title: q } : { isbn }), max, near: near?.match(/\D/) ? near : undefined };
};

const Nothing = ({ state }: { state: SearchState }) => {
  const isNarrowed = searchPath(state) !== searchPath(withoutChoices(state));
  return (
    <EmptyState
      title={
        isNarrowed || state.q === undefined ? 'No book fits this search' : `We don’t have ${quoted(state.q)} right now`
      }
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <TellMe look="primary" {...wantedOf(state)} />
          <Link to={isNarrowed ? searchPath(withoutChoices(state)) : '/'} className={buttonClass('secondary')}>
            {isNarrowed ? 'Search without filters' : 'See all books'}
          </Link>
        </div>
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
const ShowFound = ({ answer }: { answer: FoundCopies }) => {
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
  answer: FoundCopies;
  mistakes: PriceMistakes;
}

const Results = ({ state, answer, mistakes }: ResultsProps) => {
  // One answer is one list: read on, it stays the same list while the page is drawn again.
  const first = useMemo(() => ({ rows: answer.listings, next: answer.next ?? undefined }), [answer]);
  const asFound = asAnswered(state, answer);
  const shelf = useShelf<GatheredCopy>(
    first,
    async (cursor, before) => {
      const query = { ...queryOf(asFound), gather: '1', besides: besidesOf(before), cursor } as const;
      const page = await call(searchListings, { query });
      return { rows: gatheredOf(page), next: page.next ?? undefined };
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
            {/* Made alive by itself, after what is seen first. */}
            <Suspense>
              <SearchFacets {...facets} />
            </Suspense>
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
          <ListingGrid
            shelf={shelf}
            columns={2}
            heading="h2"
            empty={<Nothing state={state} />}
            more={(copy) => <CopyMore copy={copy} state={asFound} />}
          />
        </div>
        {state.q !== undefined && answer.listings.length > 0 && (
          <p className="mt-6 flex flex-wrap items-center gap-3 text-muted">
            Not the one you look for?
            <TellMe {...wantedOf(state)} />
            <SaveSearch />
          </p>
        )}
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
