import { useRevalidator } from 'react-router';
import { deleteUser, type ListedUser } from '#contract/admin/admin.ts';
import { RESTORE_DAYS } from '#contract/admin/restoring.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

export interface DeleteDialogProps {
  /** Who is to be deleted: the dialog is open while there is somebody. */
  user: ListedUser | undefined;
  onDeleted: (user: ListedUser) => void;
  onClose: () => void;
}

/** Says what deleting a user does, asks, and does it. */
export const DeleteDialog = ({ user, onDeleted, onClose }: DeleteDialogProps) => {
  const { revalidate } = useRevalidator();
  const remove = async (gone: ListedUser): Promise<void> => {
    try {
      await call(deleteUser, { params: { id: gone._id } });
    } catch (error) {
      // Somebody was quicker: the list behind the dialog should know too.
      if (error instanceof ApiError && error.status === 404) void revalidate();
      throw error;
    }
    toast('User deleted successfully');
    onDeleted(gone);
  };
  return (
    <Confirmed
      of={user}
      title="Are you sure you want to delete?"
      confirmLabel="Delete the user"
      act={remove}
      onClose={onClose}
    >
      <p>
        <strong className="text-base-content">{user?.name}</strong>{' '}
        <span className="wrap-anywhere">({user?.email})</span> will be signed out at once and cannot sign in again.
        Their listings are hidden and unpaid reservations released; paid orders stay. You can restore them for{' '}
        {RESTORE_DAYS} days on the Deleted page.
      </p>
    </Confirmed>
  );
};
