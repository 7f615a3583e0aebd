import { useId, useState } from 'react';
import type { ListedUser } from '#contract/admin/admin.ts';
import { liftSuspension, suspendUser } from '#contract/admin/suspending.ts';
import { call } from '#web/api/call.ts';
import { Reasoned } from '#web/shell/forms/reasoned.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { AskButton, RowAction, type Asked } from '#web/admin/row-action.tsx';

/** For how many days, `''` until it is lifted, in words. */
export const SUSPENSION_TIMES = [
  ['7', 'A week'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['', 'Until I lift it'],
] as const;

type Who = Pick<ListedUser, '_id' | 'name'>;

interface ButtonProps {
  user: ListedUser;
  asked: Asked<ListedUser>;
  onDone: (user: ListedUser) => void;
}

/** Suspends somebody, after asking, or lifts that at once. Admins are not suspended. */
export const SuspendButton = ({ user, asked, onDone }: ButtonProps) => {
  if (user.roles.includes('admin')) return null;
  if (!user.suspended)
    return (
      <AskButton look="quiet-danger" label="Suspend" name={user.name} onPress={(event) => asked.ask(user, event)} />
    );
  const lift = async (): Promise<void> => {
    await call(liftSuspension, { params: { id: user._id } });
    toast('Suspension lifted', { text: `${user.name} is told by email.` });
    onDone({ ...user, suspended: false });
  };
  return <RowAction label="Lift suspension" name={user.name} act={lift} />;
};

interface DialogProps<Subject extends Who> {
  asked: Pick<Asked<Subject>, 'of' | 'close'>;
  onDone: (user: Subject) => void;
}

/** Asks why and for how long, and suspends somebody. */
export const SuspendDialog = <Subject extends Who>({ asked, onDone }: DialogProps<Subject>) => {
  const id = useId();
  const [days, setDays] = useState<string>('30');
  const suspend = async (user: Subject, reason: string): Promise<void> => {
    const body = { reason, ...(days !== '' && { days: Number(days) }) };
    await call(suspendUser, { params: { id: user._id }, body });
    toast('Suspended', { text: `${user.name} is told by email.` });
    onDone(user);
  };
  return (
    <Reasoned
      of={asked.of}
      title={`Suspend ${asked.of?.name ?? ''}?`}
      confirmLabel="Suspend"
      hint="Emailed to them and kept in the audit."
      act={suspend}
      onClose={asked.close}
    >
      <p>
        Their books go out of sight; they cannot book, list or write to strangers, and what they are due waits. Running
        orders go on.
      </p>
      <label htmlFor={id} className="mt-4 mb-1 block text-sm font-semibold text-base-content">
        For how long
      </label>
      <select
        id={id}
        value={days}
        className="select h-11 w-full text-base-content"
        onChange={({ target }) => setDays(target.value)}
      >
        {SUSPENSION_TIMES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Reasoned>
  );
};
