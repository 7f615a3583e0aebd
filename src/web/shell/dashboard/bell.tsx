import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { MOST_COUNTED } from '#contract/notices/notices.ts';
import { icon } from '#web/ui/icons.tsx';
import { CountMark } from './count-mark.tsx';
import { refreshUnread, useUnread } from './unread-notices.ts';

/** Here and not with the other icons, which every page loads. */
const BellIcon = icon(<path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5a2 2 0 0 0 4 0" />);

/** How often it is asked while the page is looked at. */
const ASK_PAUSE_MS = 60_000;

/** The bell in the header of private pages: how much is new, and the way to it. */
export const Bell = () => {
  const { key } = useLocation();
  const unread = useUnread();
  // The dashboard is drawn in the browser alone, below a header that is there.
  const [place] = useState(() => document.getElementById('bell'));
  useEffect(() => void refreshUnread(), [key]);
  useEffect(() => {
    const ask = (): void => {
      if (document.visibilityState === 'visible') void refreshUnread();
    };
    const timer = setInterval(ask, ASK_PAUSE_MS);
    addEventListener('focus', ask);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', ask);
    };
  }, []);
  if (place === null) return null;
  const shown = unread > MOST_COUNTED ? `${MOST_COUNTED}+` : String(unread);
  return createPortal(
    <Link
      to="/dashboard/notices"
      className="btn btn-circle btn-ghost relative"
      aria-label={unread === 0 ? 'Notices' : `Notices, ${shown} new`}
    >
      <BellIcon className="size-5" />
      {unread > 0 && <CountMark shown={shown} />}
    </Link>,
    place,
  );
};
