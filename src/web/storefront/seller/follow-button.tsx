import { useLocation } from 'react-router';
import { followSeller, readFollow, unfollowSeller } from '#contract/sellers/sellers.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { useMark } from './use-mark.ts';

/** Follows a seller, or ends it. Nobody is asked who they are before they press; one's own page has no button. */
export const FollowButton = ({ slug, sellerId, name }: { slug: string; sellerId: string; name: string }) => {
  const session = useSession();
  const { pathname } = useLocation();
  const userId = session.status === 'in' ? session.user.uid : undefined;
  const params = { slug };
  const { isOn, busy, press } = useMark({
    of: userId === sellerId ? undefined : userId,
    on: slug,
    read: async (signal) => (await call(readFollow, { params }, { signal })).follows,
    write: async (next) => (await call(next ? followSeller : unfollowSeller, { params })).follows,
    told: (follows) => {
      if (follows) toast(`You follow ${name}`, { text: 'You hear of it, at most once a day, when they add books.' });
      else toast(`You follow ${name} no more`);
    },
  });
  if (userId === sellerId) return null;
  if (userId === undefined) {
    return (
      <a href={`/login?from=${encodeURIComponent(pathname)}`} className={buttonClass('secondary')}>
        Follow<span className="sr-only"> {name}</span>
      </a>
    );
  }
  return (
    <Button look="secondary" busy={busy} aria-pressed={isOn} onClick={() => void press()}>
      {isOn ? 'Following' : 'Follow'}
      <span className="sr-only"> {name}</span>
    </Button>
  );
};
