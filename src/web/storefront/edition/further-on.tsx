import { useSearchParams } from 'react-router';
import type { More } from '#web/shell/data/use-more.ts';
import { ShowMore } from '#web/storefront/lists/listing-grid.tsx';

/** What leads on in a list, and back to its start; nothing, and no room for it, where all of it is shown. */
export const FurtherOn = ({ list }: { list: Omit<More<unknown>, 'rows'> }) => {
  const [params] = useSearchParams();
  if (!list.hasMore && list.added === 0 && !params.has('cursor')) return null;
  return <ShowMore shelf={{ ...list, showMore: list.more }} />;
};
