import { useEffect, useId, useRef, type ReactNode } from 'react';
import { CloseIcon } from './icons.tsx';
import { Toasts } from '#web/ui/toast/toast.tsx';

export interface ModalProps {
  open: boolean;
  title: string;
  /** Called when the person closes it (Escape, the cross, a click beside it); the owner then sets `open` to false. */
  onClose: () => void;
  /** For a picture, which takes what room there is. */
  isWide?: boolean;
  children: ReactNode;
}

/** A native dialog: focus stays inside, Escape closes, focus returns to where it was. */
export const Modal = ({ open, title, onClose, isWide = false, children }: ModalProps) => {
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
        // An input whose file picker is left without a choice says so as well, and it bubbles.
        if (event.target === event.currentTarget) {
          event.preventDefault();
          onClose();
        }
      }}
    >
      {open && (
        <div className={isWide ? 'modal-box max-w-4xl' : 'modal-box max-w-lg'}>
          <div className="mb-4 flex items-start justify-between gap-4">
            <h2 id={titleId} className="line-clamp-3 font-serif text-xl font-semibold">
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
