import type { MetaArgs, MetaDescriptor } from 'react-router';

/** Title and description of a page, as search engines and browser tabs show them. */
export const pageMeta = (title: string, description?: string): MetaDescriptor[] => [
  { title: `${title} · Dogear` },
  ...(description === undefined ? [] : [{ name: 'description', content: description }]),
];

/** What the document knows for every page: where the shop lives, as people see it, and whose clock its pages go by. */
export interface RootData {
  readonly origin: string;
  /** The shop's own zone: pages are rendered in it for everyone. */
  readonly timeZone: string;
  /** A shop to try things in: only there pages offer to move the clock and to sign in as somebody else. */
  readonly demo: boolean;
}

/** The route id under which the document's data stands. */
const ROOT = 'root';

/** Shown by services where a link is shared when the page has no picture of its own; 1200 by 630. */
const SHARE_PICTURE = '/share.png';

/** A page that can be found and shared. */
export interface PublicPage {
  readonly title: string;
  /** At most about 160 characters; search engines cut the rest. */
  readonly description: string;
  /** The one address of this page, whatever other addresses show it. */
  readonly path: string;
  /** An https picture of what the page is about; absent: the shop's own. */
  readonly picture?: string | undefined;
  readonly type?: 'website' | 'article' | 'book';
  /** What the feed of its newest copies is asked for, as a query; absent: it has none. */
  readonly feed?: string;
}

/** The shop's address while `meta` runs, the same on the server and in the browser. */
export const originOf = ({ matches }: Pick<MetaArgs, 'matches'>): string | undefined =>
  (matches.find((match) => match?.id === ROOT)?.loaderData as RootData | undefined)?.origin;

/** By which readers of feeds find it. */
const feedLink = (query: string): MetaDescriptor => ({
  tagName: 'link',
  rel: 'alternate',
  type: 'application/atom+xml',
  href: `/api/feeds/search.atom?${query}`,
});

/** The canonical path: of the query only the place in the list is part of it. */
const addressOf = (path: string, search: string): string => {
  const cursor = new URLSearchParams(search).get('cursor');
  return cursor === null ? path : `${path}?cursor=${encodeURIComponent(cursor)}`;
};

/** As `pageMeta`, with Open Graph for a page that is shared, at its full `path`. */
export const sharedMeta = (args: Pick<MetaArgs, 'matches'>, page: PublicPage): MetaDescriptor[] => {
  const origin = originOf(args);
  const own = { title: page.title, description: page.description };
  const shared: MetaDescriptor[] = [
    { title: own.title.includes('Dogear') ? own.title : `${own.title} · Dogear` },
    { name: 'description', content: own.description },
    { property: 'og:site_name', content: 'Dogear' },
    { property: 'og:type', content: page.type ?? 'website' },
    { property: 'og:title', content: own.title },
    { property: 'og:description', content: own.description },
    { property: 'og:locale', content: 'en_US' },
  ];
  // Only a document that failed before it knew anything has no origin.
  if (origin === undefined) return shared;
  return [
    ...shared,
    ...(page.feed === undefined ? [] : [feedLink(page.feed)]),
    { property: 'og:url', content: `${origin}${page.path}` },
    { property: 'og:image', content: page.picture ?? `${origin}${SHARE_PICTURE}` },
    { name: 'twitter:card', content: page.picture === undefined ? 'summary_large_image' : 'summary' },
  ];
};

/** As `sharedMeta`, with the canonical address, for pages that search engines may keep. */
export const publicMeta = (args: Pick<MetaArgs, 'matches' | 'location'>, page: PublicPage): MetaDescriptor[] => {
  const origin = originOf(args);
  const path = addressOf(page.path, args.location.search);
  const canonical: MetaDescriptor = { tagName: 'link', rel: 'canonical', href: `${origin}${path}` };
  return [...sharedMeta(args, { ...page, path }), ...(origin === undefined ? [] : [canonical])];
};
