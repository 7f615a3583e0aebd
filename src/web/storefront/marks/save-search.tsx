import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { saveSearch } from '#contract/wants/watching.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/** Saves the search of the page, of whose new books its reader is told once a day. */
export const SaveSearch = () => {
  const session = useSession();
  const { pathname, search } = useLocation();
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState<string>();
  const label = 'Save this search';
  if (session.status !== 'in') {
    return (
      <a
        href={`/login?from=${encodeURIComponent(`${pathname}${search}`)}`}
        className={buttonClass('secondary')}
        rel="nofollow"
      >
        {label}
      </a>
    );
  }
  if (saved === search) {
    return (
      <Link to="/dashboard/watched" className={buttonClass('secondary')}>
        Saved: see all
      </Link>
    );
  }
  const press = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(saveSearch, { params: { id: crypto.randomUUID() }, body: { query: search.replace(/^\?/, '') } });
      setSaved(search);
      toast('Saved', { text: 'Once a day you are told what is new.' });
    } catch (error) {
      toast('This was not done', { tone: 'error', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button look="secondary" busy={busy} onClick={() => void press()}>
      {label}
    </Button>
  );
};
