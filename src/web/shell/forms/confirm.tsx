import type { ReactNode } from 'react';
import { Button, type ButtonLook } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';

export interface ConfirmProps {
  open: boolean;
  title: string;
  children?: ReactNode;
  confirmLabel: string;
  /** What closes it and does nothing. */
  dismissLabel?: string;
  /** `danger` unless it takes nothing away. */
  look?: ButtonLook;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that is hard to undo. */
export const Confirm = ({
  open,
  title,
  children,
  confirmLabel,
  dismissLabel = 'Cancel',
  look = 'danger',
  busy,
  onConfirm,
  onClose,
}: ConfirmProps) => (
  <Modal open={open} title={title} onClose={onClose}>
    <div className="text-muted">{children}</div>
    <div className="mt-6 flex flex-wrap justify-end gap-3">
      <Button look="secondary" onClick={onClose}>
        {dismissLabel}
      </Button>
      <Button look={look} busy={busy === true} onClick={onConfirm}>
        {confirmLabel}
      </Button>
    </div>
  </Modal>
);
