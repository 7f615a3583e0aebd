import { Link } from 'react-router';
import { listFollowed, unfollowSeller, type Followed } from '#contract/sellers/sellers.ts';
import { call, callPage } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { Button } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';

interface FollowedProps {
  first: Page<Followed>;
  act: (work: () => Promise<unknown>) => void;
}

/** The sellers whom a reader follows. */
export const FollowedSellers = ({ first, act }: FollowedProps) => {
  const list = useMore(first, (cursor) => callPage(listFollowed, { query: { cursor } }), { keepPlace: true });
  if (list.rows.length === 0)
    return <p className="text-muted">Press “Follow” on the page of a seller whose new books you want to hear of.</p>;
  return (
    <>
      <ul className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
        {list.rows.map(({ slug, name, since }) => (
          <li key={slug} className="flex flex-wrap items-center justify-between gap-3 p-4">
            <div className="min-w-0">
              <Link to={`/seller/${slug}`} dir="auto" className="font-semibold wrap-anywhere hover:underline">
                {name}
              </Link>
              <p className="text-sm text-muted">
                Since <Time at={since} as="date" />
              </p>
            </div>
            <Button look="quiet-danger" size="sm" onClick={() => act(() => call(unfollowSeller, { params: { slug } }))}>
              Unfollow<span className="sr-only"> {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <ListEnd list={list} />
    </>
  );
};
