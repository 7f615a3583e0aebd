import { useRevalidator } from 'react-router';
import { makeAdmin, removeAdmin, removeVerification, type ListedUser } from '#contract/admin/admin.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { Reasoned } from '#web/shell/forms/reasoned.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import type { Asked } from '#web/admin/row-action.tsx';

interface DialogProps {
  asked: Asked<ListedUser>;
  onDone: (user: ListedUser) => void;
}

const Who = ({ user }: { user: ListedUser | undefined }) => (
  <>
    <strong className="text-base-content">{user?.name}</strong> <span className="wrap-anywhere">({user?.email})</span>
  </>
);

/** Runs `work`; where the user is gone, the list behind the dialog is read again. */
const useOnUser = () => {
  const { revalidate } = useRevalidator();
  return async <T,>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) void revalidate();
      throw error;
    }
  };
};

/** Says what an admin may do, asks, and makes one. */
export const MakeAdminDialog = ({ asked, onDone }: DialogProps) => {
  const onUser = useOnUser();
  const promote = async (user: ListedUser): Promise<void> => {
    const { modifiedCount } = await onUser(call(makeAdmin, { params: { id: user._id } }));
    if (modifiedCount === 1) toast('Make Admin Successful');
    else toast(`${user.name} is an admin already`, { tone: 'info' });
    onDone(user);
  };
  return (
    <Confirmed
      of={asked.of}
      title={`Make ${asked.of?.name ?? ''} an admin?`}
      confirmLabel="Make Admin"
      look="primary"
      act={promote}
      onClose={asked.close}
    >
      <p>
        <Who user={asked.of} /> will be able to do everything you can: see all users and payments, refund money, delete
        users and listings, and make other admins. You can remove the role again.
      </p>
    </Confirmed>
  );
};

/** Asks why, and takes the admin role back. */
export const RemoveAdminDialog = ({ asked, onDone }: DialogProps) => {
  const onUser = useOnUser();
  const demote = async (user: ListedUser, reason: string): Promise<void> => {
    const { modifiedCount } = await onUser(call(removeAdmin, { params: { id: user._id }, body: { reason } }));
    if (modifiedCount === 1) toast('Admin role removed', { text: `${user.name} is told by email.` });
    else toast(`${user.name} is no admin any more`, { tone: 'info' });
    onDone(user);
  };
  return (
    <Reasoned
      of={asked.of}
      title={`Remove ${asked.of?.name ?? ''} as an admin?`}
      confirmLabel="Remove admin"
      hint="Emailed to them and kept in the audit."
      act={demote}
      onClose={asked.close}
    >
      <p>
        <Who user={asked.of} /> will no longer see the admin pages, from now on. The rest of their account stays.
      </p>
    </Reasoned>
  );
};

/** Asks why, and takes the tick of a seller back. */
export const RemoveTickDialog = ({ asked, onDone }: DialogProps) => {
  const onUser = useOnUser();
  const unverify = async (user: ListedUser, reason: string): Promise<void> => {
    const { modifiedCount } = await onUser(call(removeVerification, { params: { id: user._id }, body: { reason } }));
    if (modifiedCount === 1) toast('Tick removed', { text: `${user.name} is told by email.` });
    else toast(`${user.name} has no tick any more`, { tone: 'info' });
    onDone(user);
  };
  return (
    <Reasoned
      of={asked.of}
      title={`Remove the tick of ${asked.of?.name ?? ''}?`}
      confirmLabel="Remove tick"
      hint="Emailed to them and kept in the audit."
      act={unverify}
      onClose={asked.close}
    >
      <p>
        Buyers will no longer see <Who user={asked.of} /> as a verified seller. Their listings stay, and they can go on
        selling.
      </p>
    </Reasoned>
  );
};
