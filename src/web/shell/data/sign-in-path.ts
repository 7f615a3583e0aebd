import { useLocation } from 'react-router';
import { fromQuery, returnPath } from './return-path.ts';

/** Where a sign-in link on this page leads: to the sign-in page, and back here afterwards. */
export const useSignInPath = (): string => {
  const { pathname, search } = useLocation();
  // On the sign-in page itself the place it was reached from stays.
  const here = pathname === '/login' ? returnPath(new URLSearchParams(search).get('from')) : `${pathname}${search}`;
  return `/login${fromQuery(here)}`;
};
