import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { followSeller, readFollow, unfollowSeller } from '#contract/sellers/sellers.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/** Follows a seller, or ends it. Nobody is asked who they are before they press; one's own page has no button. */
export const FollowButton = ({ slug, sellerId, name }: { slug: string; sellerId: string; name: string }) => {
  const session = useSession();
  const { pathname } = useLocation();
  const userId = session.status === 'in' ? session.user.uid : undefined;
  const [follows, setFollows] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  const reading = useRef<AbortController>(null);

  useEffect(() => {
    if (userId === undefined || userId === sellerId) return undefined;
    const stop = new AbortController();
    reading.current = stop;
    call(readFollow, { params: { slug } }, { signal: stop.signal }).then(
      (answer) => setFollows(answer.follows),
      () => undefined,
    );
    return () => stop.abort();
  }, [slug, sellerId, userId]);

  if (userId === sellerId) return null;
  if (userId === undefined) {
    return (
      <a href={`/login?from=${encodeURIComponent(pathname)}`} className={buttonClass('secondary')}>
        Follow<span className="sr-only"> {name}</span>
      </a>
    );
  }
  const press = async (): Promise<void> => {
    setBusy(true);
    // How it was before they pressed may come later than what they did.
    reading.current?.abort();
    try {
      const answer = await call(follows === true ? unfollowSeller : followSeller, { params: { slug } });
      setFollows(answer.follows);
      if (answer.follows)
        toast(`You follow ${name}`, { text: 'You hear of it, at most once a day, when they add books.' });
      else toast(`You follow ${name} no more`);
    } catch (error) {
      toast('This was not done', { tone: 'error', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="secondary" busy={busy} aria-pressed={follows === true} onClick={() => void press()}>
      {follows === true ? 'Following' : 'Follow'}
      <span className="sr-only"> {name}</span>
    </Button>
  );
};
