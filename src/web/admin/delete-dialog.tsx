import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { deleteUser, type ListedUser } from '#contract/admin.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirm } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';

export interface DeleteDialogProps {
  /** Who is to be deleted: the dialog is open while there is somebody. */
  user: ListedUser | undefined;
  onDeleted: (user: ListedUser) => void;
  onClose: () => void;
}

/** Says what deleting a user does, asks, and does it. */
export const DeleteDialog = ({ user, onDeleted, onClose }: DeleteDialogProps) => {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const close = (): void => {
    setFailure(undefined);
    onClose();
  };
  const remove = async (): Promise<void> => {
    if (user === undefined) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await call(deleteUser, { params: { id: user._id } });
      toast('User deleted successfully');
      onDeleted(user);
      close();
    } catch (error) {
      setFailure(messageOf(error));
      // Somebody was quicker: the list behind the dialog should know too.
      if (error instanceof ApiError && error.status === 404) await revalidate();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Confirm
      open={user !== undefined}
      title="Are you sure you want to delete?"
      confirmLabel="Delete the user"
      busy={busy}
      onConfirm={() => void remove()}
      onClose={close}
    >
      <p>
        <strong className="text-base-content">{user?.name}</strong>{' '}
        <span className="wrap-anywhere">({user?.email})</span> will be signed out at once and cannot sign in again.
        Their books leave the shelves and what they booked without paying is given back; paid orders stay.
      </p>
      {failure !== undefined && (
        <div className="mt-4">
          <Notice tone="error">{failure}</Notice>
        </div>
      )}
    </Confirm>
  );
};
