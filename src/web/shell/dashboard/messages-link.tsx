import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link, useLocation } from 'react-router';
import { MOST_UNREAD } from '#contract/messages/threads.ts';
import { listenToMessages, refreshUnreadMessages, useUnreadMessages } from '#web/shell/messages/news.ts';
import { icon } from '#web/ui/icons.tsx';
import { CountMark } from './count-mark.tsx';

/** Here and not with the other icons, which every page loads. */
const MessagesIcon = icon(<path d="M4 5h16v11H9l-5 4z" />);

/** The way to one's messages in the header of private pages, and in how many threads something is new. */
export const MessagesLink = () => {
  const { key } = useLocation();
  const unread = useUnreadMessages();
  // The dashboard is drawn in the browser alone, below a header that is there.
  const [place] = useState(() => document.getElementById('bell'));
  useEffect(() => void refreshUnreadMessages(), [key]);
  useEffect(listenToMessages, []);
  useEffect(() => {
    const ask = (): void => void refreshUnreadMessages();
    addEventListener('focus', ask);
    return () => removeEventListener('focus', ask);
  }, []);
  if (place === null) return null;
  const shown = unread > MOST_UNREAD ? `${MOST_UNREAD}+` : String(unread);
  return createPortal(
    <Link
      to="/dashboard/messages"
      className="btn btn-circle btn-ghost relative"
      aria-label={unread === 0 ? 'Messages' : `Messages, ${shown} new`}
    >
      <MessagesIcon className="size-5" />
      {unread > 0 && <CountMark shown={shown} />}
    </Link>,
    place,
  );
};
