import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { addWish, readWish, removeWish } from '#contract/wants/watching.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { useStanding } from '#web/storefront/booking/use-standing.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { toast } from '#web/ui/toast/toast-store.ts';

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
  const [wished, setWished] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  const reading = useRef<AbortController>(null);
  useEffect(() => {
    if (userId === undefined || isOwn) return undefined;
    const stop = new AbortController();
    reading.current = stop;
    call(readWish, { params: { id } }, { signal: stop.signal }).then(
      (answer) => setWished(answer.wished),
      () => undefined,
    );
    return () => stop.abort();
  }, [id, isOwn, userId]);
  if (isOwn) return null;
  const name = <span className="sr-only"> {listing.title}</span>;
  if (userId === undefined) {
    return (
      <a href={`/login?from=${encodeURIComponent(pathname)}`} className={buttonClass('quiet')} rel="nofollow">
        <HeartIcon isFull={false} /> Remember{name}
      </a>
    );
  }
  const press = async (): Promise<void> => {
    setBusy(true);
    // How it was before they pressed may come later than what they did.
    reading.current?.abort();
    try {
      const answer = await call(wished === true ? removeWish : addWish, { params: { id } });
      setWished(answer.wished);
      if (answer.wished) toast('Remembered', { text: 'You are told when it is cheaper, and when it is gone.' });
    } catch (error) {
      toast('This was not done', { tone: 'error', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="quiet" busy={busy} aria-pressed={wished === true} onClick={() => void press()}>
      <HeartIcon isFull={wished === true} /> {wished === true ? 'Remembered' : 'Remember'}
      {name}
    </Button>
  );
};
