import { useMemo } from 'react';
import {
  redirect,
  useLoaderData,
  useSearchParams,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { readAuthor, type AuthorAnswer, type AuthorBook, type AuthorSort } from '#contract/catalog/authors.ts';
import { formatCount } from '#contract/count.ts';
import { call } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { loadInBrowser, loadOnServer, type Missing } from '#web/shell/data/load.ts';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { TellMe } from '#web/shell/wants/tell-me.tsx';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { useForgetStructuredData } from '#web/storefront/book/structured-data.ts';
import { authorPath } from '#web/storefront/edition/addresses.ts';
import { authorScript } from '#web/storefront/edition/edition-data.ts';
import { FurtherOn } from '#web/storefront/edition/further-on.tsx';
import { sortIn, SortLinks } from '#web/storefront/edition/sort-links.tsx';
import { AuthorBooks } from './author-books.tsx';

const SORTS = [
  ['copies', 'Number of copies'],
  ['title', 'Title'],
] as const satisfies readonly (readonly [AuthorSort, string])[];

const MISSING: Missing = {
  message: 'No book by this author is here right now.',
  next: { to: '/search', label: 'Search for a book' },
};

/** Another way of writing the address is led to the one. */
const load = async (api: Api, slug: string, { searchParams, search }: URL): Promise<AuthorAnswer> => {
  const author = await api.call(readAuthor, {
    params: { slug },
    query: { sort: sortIn(searchParams, ['copies', 'title']), cursor: searchParams.get('cursor') ?? undefined },
  });
  if (author.slug !== slug) throw redirect(`${authorPath(author.slug)}${search}`, 301);
  return author;
};

export const loader = ({ context, params, request }: LoaderFunctionArgs) =>
  loadOnServer(context, (api) => load(api, params['slug'] ?? '', new URL(request.url)), MISSING);

export const clientLoader = ({ params, request }: ClientLoaderFunctionArgs) =>
  loadInBrowser((api) => load(api, params['slug'] ?? '', new URL(request.url)), request, MISSING);

const countText = (count: number): string => (count === 1 ? '1 book' : `${formatCount(count)} books`);

export const meta: MetaFunction<typeof loader> = (args) => {
  const author = args.loaderData;
  if (author === undefined)
    return args.matches.findLast((match) => match !== undefined && match.meta.length > 0)?.meta ?? [];
  const { name, slug, count, books } = author;
  const titles = books.slice(0, 3).map(({ title }) => title);
  return [
    ...publicMeta(args, {
      title: `Books by ${name}`,
      description: `${countText(count)} by ${name}, second-hand: ${titles.join(', ')}. Real copies from readers.`.slice(
        0,
        160,
      ),
      path: authorPath(slug),
    }),
    ...authorScript(args, author),
  ];
};

const pageOf = ({ books, next }: AuthorAnswer): Page<AuthorBook> => ({ rows: books, next: next ?? undefined });

const Books = ({ author }: { author: AuthorAnswer }) => {
  const { slug } = author;
  const [params] = useSearchParams();
  const sort = sortIn(params, ['copies', 'title']);
  // One answer is one list: read on, it stays the same list while the page is drawn again.
  const first = useMemo(() => pageOf(author), [author]);
  const list = useMore(
    first,
    async (cursor) => pageOf(await call(readAuthor, { params: { slug }, query: { sort, cursor } })),
    { keepPlace: true, of: `${slug} ${sort} ${params.get('cursor') ?? ''}` },
  );
  const seen = new Set<string>();
  // A book listed meanwhile can shift the pages by one; nothing is shown twice.
  const books = list.rows.filter(({ _id: id }) => !seen.has(id) && seen.add(id));
  return (
    <>
      {author.count > 1 && (
        <div className="mb-6">
          <SortLinks sorts={SORTS} sort={sort} />
        </div>
      )}
      <AuthorBooks books={books} />
      <FurtherOn list={list} />
    </>
  );
};

const AuthorPage = () => {
  const author = useLoaderData<typeof loader>();
  useForgetStructuredData();
  useRefreshOnFocus();
  return (
    <div className="page max-w-5xl py-8 sm:py-12">
      <header className="mb-6">
        <h1 dir="auto" className="font-serif text-3xl leading-tight font-bold break-words sm:text-4xl">
          {author.name}
        </h1>
        <p className="mt-1 text-muted">{countText(author.count)} with copies for sale</p>
      </header>
      <Books key={author.slug} author={author} />
      <p className="mt-6 flex flex-wrap items-center gap-3 text-muted">
        Looking for another of their books?
        <TellMe author={author.name} />
      </p>
    </div>
  );
};
export default AuthorPage;
