import { Outlet, type MetaFunction } from 'react-router';
import { ErrorPage } from './error-page.tsx';
import { pageMeta } from './page-meta.ts';

export const meta: MetaFunction = ({ error }) =>
  error === undefined ? [] : [...pageMeta('Something is missing'), { name: 'robots', content: 'noindex' }];

/** Stands around pages so that an error takes the place of the page and not of what is around it. */
const PageBoundary = () => <Outlet />;
export default PageBoundary;

export { ErrorPage as ErrorBoundary };
