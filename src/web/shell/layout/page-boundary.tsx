import { isRouteErrorResponse, Outlet, type MetaFunction } from 'react-router';
import { ErrorPage } from './error-page.tsx';
import { pageMeta } from './page-meta.ts';

const isMissing = (error: unknown): boolean => isRouteErrorResponse(error) && error.status === 404;

export const meta: MetaFunction = ({ error }) => {
  if (error === undefined) return [];
  const title = isMissing(error) ? 'Something is missing' : 'Something went wrong';
  return [...pageMeta(title), { name: 'robots', content: 'noindex' }];
};

/** Stands around pages so that an error takes the place of the page and not of what is around it. */
const PageBoundary = () => <Outlet />;
export default PageBoundary;

export { ErrorPage as ErrorBoundary };
