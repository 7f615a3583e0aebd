import { useEffect } from 'react';
import {
  Outlet,
  useLoaderData,
  useNavigation,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router';
import { listCategories } from '#contract/catalog/catalog.ts';
import { browserApi } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import type { SiteData } from '#web/shell/data/categories.ts';
import { useFollowLinks } from './follow-links.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { serverApi } from '#web/shell/data/load.ts';
import { OfflineNotice } from './offline-notice.tsx';
import { usePageArrival } from './page-arrival.ts';
import { useSessionWatch } from '#web/shell/data/use-session.ts';

/** The categories this document has shown last: better than none when they cannot be read again. */
let lastShown: SiteData['categories'] = [];

/** A shop that cannot list its categories is still a shop: the sidebar says so and asks again. */
const load = async (api: Api): Promise<SiteData> => {
  try {
    return { categories: await api.call(listCategories, {}) };
  } catch {
    return { categories: lastShown, isIncomplete: lastShown.length === 0 };
  }
};

export const loader = ({ context }: LoaderFunctionArgs) => load(serverApi(context));
export const clientLoader = () => load(browserApi);

/** Categories rarely change: they are read again only when a page asks for it, not on every step. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.href === nextUrl.href;

/** A line at the top while the next page is loading; the old one stays until then. */
const Progress = () => {
  const { state } = useNavigation();
  if (state === 'idle') return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading the next page"
      className="fixed inset-x-0 top-0 z-50 h-0.5 origin-left animate-progress bg-primary"
    />
  );
};

/** Where one has arrived, read out; without a role, so that it is no status of anything on the page. */
const Arrival = () => (
  <p className="sr-only" aria-live="polite" aria-atomic="true">
    {usePageArrival()}
  </p>
);

const SiteLayout = () => {
  const { categories } = useLoaderData<SiteData>();
  useSessionWatch();
  useFollowLinks();
  useEffect(() => {
    lastShown = categories;
  }, [categories]);
  return (
    <div className="flex min-h-dvh flex-col">
      <Progress />
      <OfflineNotice />
      <Header />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
      <Arrival />
    </div>
  );
};
export default SiteLayout;
