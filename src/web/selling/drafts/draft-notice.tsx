import { useState } from 'react';
import { messageOf } from '#web/api/api-error.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';

interface BackProps {
  /** ISO 8601 */
  savedAt: string;
  onAnew: () => Promise<void>;
}

/** Says that the form goes on where it was left, and lets its seller begin anew. */
export const DraftIsBack = ({ savedAt, onAnew }: BackProps) => {
  const [busy, setBusy] = useState(false);
  return (
    <div className="mb-5">
      <Notice tone="info" title="Your draft is here">
        <p>
          Goes on where you stopped on <Time at={savedAt} as="moment" />.
        </p>
        <Button
          look="secondary"
          className="mt-3"
          busy={busy}
          onClick={() => {
            setBusy(true);
            void onAnew();
          }}
        >
          Begin anew
        </Button>
      </Notice>
    </div>
  );
};

interface NewerProps {
  onUse: () => Promise<void>;
  onKeep: () => Promise<void>;
}

/** Asks which of two drafts is to be kept. */
export const NewerDraft = ({ onUse, onKeep }: NewerProps) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const press = (act: () => Promise<void>) => () => {
    setBusy(true);
    setFailure('');
    void act()
      .catch((error: unknown) => setFailure(messageOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <div className="mb-5" role="status">
      <Notice tone="warning" title="There is a newer draft from another device">
        <p>What you type here is kept in this tab until you choose.</p>
        {failure !== '' && <p className="mt-2 text-error">{failure}</p>}
        <div className="mt-3 flex flex-wrap gap-3">
          <Button busy={busy} onClick={press(onUse)}>
            Use it
          </Button>
          <Button look="secondary" busy={busy} onClick={press(onKeep)}>
            Keep this one
          </Button>
        </div>
      </Notice>
    </div>
  );
};
