import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { deleteListing, type Listing } from '#contract/catalog.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirm } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';

interface Props {
  /** Open while there is one. */
  listing: Listing | undefined;
  onDeleted: (listing: Listing) => void;
  onClose: () => void;
}

/** Asks before a product is deleted, and deletes it. */
export const DeleteDialog = ({ listing, onDeleted, onClose }: Props) => {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const close = (): void => {
    setFailure(undefined);
    onClose();
  };
  const remove = async (): Promise<void> => {
    if (listing === undefined) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await call(deleteListing, { params: { id: listing._id } });
      toast(`Product ${listing.title} deleted successfully`);
      onDeleted(listing);
      close();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
    // Whether it went or not: a reader may just have booked it.
    await revalidate();
  };
  return (
    <Confirm
      open={listing !== undefined}
      title="Are you sure you want to delete?"
      confirmLabel="Delete"
      busy={busy}
      onConfirm={() => void remove()}
      onClose={close}
    >
      <p>
        <em>{listing?.title}</em> leaves the shop at once. This cannot be undone.
      </p>
      {failure !== undefined && (
        <div className="mt-4">
          <Notice tone="error">{failure}</Notice>
        </div>
      )}
    </Confirm>
  );
};
