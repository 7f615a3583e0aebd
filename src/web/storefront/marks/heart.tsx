import { useLocation } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { addWish, readWish, removeWish } from '#contract/wants/watching.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { useStanding } from '#web/storefront/booking/use-standing.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { toast } from '#web/ui/toast/toast-store.ts';
import { useMark } from './use-mark.ts';

const HeartIcon = ({ isFull }: { isFull: boolean }) => (
  <svg
    viewBox="0 0 24 24"
    className={classes('size-5 stroke-current', isFull ? 'fill-current' : 'fill-none')}
    strokeWidth="1.8"
    aria-hidden="true"
  >
    <path d="M12 20s-7.5-4.6-9-9.3C1.9 7.2 4.2 4.5 7.2 4.5c2 0 3.7 1.1 4.8 2.9 1.1-1.8 2.8-2.9 4.8-2.9 3 0 5.3 2.7 4.2 6.2-1.5 4.7-9 9.3-9 9.3z" />
  </svg>
);

/** Marks a copy, or takes the mark off. Nobody is asked who they are before they press; one's own has none. */
export const Heart = ({ listing }: { listing: Listing }) => {
  const id = listing._id;
  const session = useSession();
  const { pathname } = useLocation();
  const isOwn = useStanding(id)?.kind === 'own';
  const userId = session.status === 'in' ? session.user.uid : undefined;
  const params = { id };
  const { isOn, busy, press } = useMark({
    of: isOwn ? undefined : userId,
    on: id,
    read: async (signal) => (await call(readWish, { params }, { signal })).wished,
    write: async (next) => (await call(next ? addWish : removeWish, { params })).wished,
    told: (wished) => {
      if (wished) toast('Remembered', { text: 'You are told when it is cheaper, and when it is gone.' });
    },
  });
  if (isOwn) return null;
  const name = <span className="sr-only"> {listing.title}</span>;
  if (userId === undefined) {
    return (
      <a href={`/login?from=${encodeURIComponent(pathname)}`} className={buttonClass('quiet')} rel="nofollow">
        <HeartIcon isFull={false} /> Remember{name}
      </a>
    );
  }
  return (
    <Button look="quiet" busy={busy} aria-pressed={isOn} onClick={() => void press()}>
      <HeartIcon isFull={isOn} /> {isOn ? 'Remembered' : 'Remember'}
      {name}
    </Button>
  );
};
