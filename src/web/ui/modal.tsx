import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import { Toasts } from './toast.tsx';

export interface ModalProps {
  open: boolean;
  title: string;
  /** Called when the person closes it (Escape, the cross, a click beside it); the owner then sets `open` to false. */
  onClose: () => void;
  children: ReactNode;
}

/** A native dialog: focus stays inside, Escape closes, focus returns to where it was. */
export const Modal = ({ open, title, onClose, children }: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null || !open) return undefined;
    element.showModal();
    return () => element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className="modal modal-bottom sm:modal-middle"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {open && (
        <div className="modal-box max-w-lg">
          <div className="mb-4 flex items-start justify-between gap-4">
            <h2 id={titleId} className="font-serif text-xl font-semibold">
              {title}
            </h2>
            <button
              type="button"
              className="btn btn-circle btn-ghost -my-2 -mr-2 size-11"
              aria-label="Close"
              onClick={onClose}
            >
              <CloseIcon />
            </button>
          </div>
          {children}
        </div>
      )}
      <button type="button" className="modal-backdrop" tabIndex={-1} aria-hidden="true" onClick={onClose} />
      {open && <Toasts atTop />}
    </dialog>
  );
};

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
