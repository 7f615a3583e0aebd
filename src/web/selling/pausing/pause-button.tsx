import { useState } from 'react';
import type { Listing } from '#contract/catalog/catalog.ts';
import { pauseListing } from '#contract/catalog/pausing.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

interface Props {
  listing: Pick<Listing, '_id' | 'title' | 'status'>;
  /** The whole shelf is paused: a copy that is put back comes back with it. */
  isAway: boolean;
  /** Reads the list again. */
  onChanged: () => Promise<void>;
}

/** Hides a copy for a while, or puts it back: one press, undone by the same button. */
export const PauseButton = ({ listing, isAway, onChanged }: Props) => {
  const [busy, setBusy] = useState(false);
  const paused = listing.status !== 'Paused';
  const press = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(pauseListing, { params: { id: listing._id }, body: { paused } });
      const text = isAway
        ? `${listing.title} comes back with your shelf.`
        : `${listing.title} can be found and bought again.`;
      if (paused) toast('Paused', { text: `${listing.title} is hidden until you put it back.` });
      else toast('Put back', { text });
    } catch (error) {
      toast('This did not work', { tone: 'error', text: messageOf(error) });
    }
    // Whatever came of it: a reader may just have booked it.
    await onChanged();
    setBusy(false);
  };
  return (
    <Button look="secondary" size="sm" className="max-sm:min-h-11" busy={busy} onClick={() => void press()}>
      {paused ? 'Pause' : 'Put back'}
      <span className="sr-only"> {listing.title}</span>
    </Button>
  );
};
