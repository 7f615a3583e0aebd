import { useRevalidator } from 'react-router';
import { deleteListing, type Listing } from '#contract/catalog/catalog.ts';
import { RESTORE_DAYS } from '#contract/admin/restoring.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

interface Props {
  /** Open while there is one. */
  listing: Listing | undefined;
  onDeleted: (listing: Listing) => void;
  onClose: () => void;
}

/** Asks before a product is deleted, and deletes it. */
export const DeleteDialog = ({ listing: product, onDeleted, onClose }: Props) => {
  const { revalidate } = useRevalidator();
  const remove = async (listing: Listing): Promise<void> => {
    // The list is read again whether it goes or not: a reader may just have booked it.
    await call(deleteListing, { params: { id: listing._id } }).finally(() => void revalidate());
    toast(`Product ${listing.title} deleted successfully`);
    onDeleted(listing);
  };
  return (
    <Confirmed
      of={product}
      title="Are you sure you want to delete?"
      confirmLabel="Delete"
      act={remove}
      onClose={onClose}
    >
      <p>
        <em>{product?.title}</em> leaves the shop at once. This cannot be undone. An admin can restore it for{' '}
        {RESTORE_DAYS} days: ask us.
      </p>
    </Confirmed>
  );
};
