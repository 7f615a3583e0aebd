import { useCallback, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import type { Listing } from '#contract/catalog/catalog.ts';
import { messageOf } from '#web/api/api-error.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { useStanding } from '#web/storefront/booking/use-standing.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { isMarked, pressMark, watchMarks } from './marks.ts';

const never = (): (() => void) => () => undefined;

/** Whether the reader marked a copy, and what changes that. */
const useHeart = (id: string, userId: string | undefined) => {
  const watch = useCallback(
    (listener: () => void) => (userId === undefined ? never() : watchMarks(userId, listener)),
    [userId],
  );
  const isOn = useSyncExternalStore(
    watch,
    () => userId !== undefined && isMarked(id),
    () => false,
  );
  const [busy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    try {
      if (await pressMark(id)) toast('Remembered', { text: 'You are told when it is cheaper, and when it is gone.' });
    } catch (error) {
      toast('This was not done', { tone: 'error', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return { isOn, busy, press };
};

interface HeartProps {
  listing: Pick<Listing, '_id' | 'title'>;
  /** Without its word: over a cover or in a row. */
  isAlone?: boolean;
}

/** Marks a copy for whoever is signed in, or takes the mark off; one's own copy has none. */
export const OwnHeart = ({ listing: { _id: id, title }, isAlone = false }: HeartProps) => {
  const session = useSession();
  const isOwn = useStanding(id)?.kind === 'own';
  const { isOn, busy, press } = useHeart(id, isOwn || session.status !== 'in' ? undefined : session.user.uid);
  if (isOwn) return null;
  const word = isOn ? 'Remembered' : 'Remember';
  const onClick = (): void => void press();
  return isAlone ? (
    <button type="button" className="heart" disabled={busy} aria-pressed={isOn} onClick={onClick}>
      <span className="sr-only">
        {word} {title}
      </span>
    </button>
  ) : (
    <Button look="quiet" className="heart-beside" busy={busy} aria-pressed={isOn} onClick={onClick}>
      {word}
      <span className="sr-only"> {title}</span>
    </Button>
  );
};

/** The heart of a copy on its page. Nobody is asked who they are before they press. */
export const Heart = ({ listing }: { listing: Listing }) => {
  const session = useSession();
  const { pathname } = useLocation();
  if (session.status === 'in') return <OwnHeart listing={listing} />;
  return (
    <a
      href={`/login?from=${encodeURIComponent(pathname)}`}
      className={buttonClass('quiet', 'md', 'heart-beside')}
      rel="nofollow"
    >
      Remember<span className="sr-only"> {listing.title}</span>
    </a>
  );
};
