import { useLocation } from 'react-router';
import { useHydrated } from '#web/shell/data/use-hydrated.ts';

/**
 * The secret of a link from a mail. It stands behind the # of the address, which browsers keep to themselves: no
 * server, log or Referer gets it. Undefined until the page's scripts have taken over, '' where the address has none.
 */
export const useLinkToken = (): string | undefined => {
  const { hash } = useLocation();
  const hydrated = useHydrated();
  return hydrated ? (new URLSearchParams(hash.slice(1)).get('token') ?? '') : undefined;
};
