import { useState, type ReactNode } from 'react';
import { messageOf } from '#web/api/api-error.ts';
import { Confirm, type ConfirmProps } from '#web/shell/forms/confirm.tsx';
import { Notice } from '#web/ui/states.tsx';

interface ConfirmedProps<Subject> extends Pick<ConfirmProps, 'dismissLabel' | 'look'> {
  /** What it is about: the dialog is open while there is something. */
  of: Subject | undefined;
  title: string;
  /** Says what will happen. */
  children: ReactNode;
  confirmLabel: string;
  /** Does it, once at a time. What it throws is said in the dialog, which stays open until it is done or given up. */
  act: (subject: Subject) => Promise<void>;
  /** What to say of what `act` threw, where that is not the error's own message. */
  wordsOf?: (error: unknown) => string;
  onClose: () => void;
}

/** Asks before something that is hard to undo, and does it. */
export const Confirmed = <Subject,>({
  of,
  title,
  children,
  confirmLabel,
  act,
  wordsOf = messageOf,
  onClose,
  ...looks
}: ConfirmedProps<Subject>) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const close = (): void => {
    setFailure(undefined);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (of === undefined) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await act(of);
      close();
    } catch (error) {
      setFailure(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Confirm
      open={of !== undefined}
      title={title}
      confirmLabel={confirmLabel}
      busy={busy}
      {...looks}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      {children}
      {failure !== undefined && (
        <div className="mt-4">
          <Notice tone="error">{failure}</Notice>
        </div>
      )}
    </Confirm>
  );
};
