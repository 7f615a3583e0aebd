import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { classes } from './classes.ts';
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from './icons.tsx';
import {
  dismissToast,
  noToasts,
  openToastPlace,
  subscribeToToasts,
  toastsAt,
  type ToastMessage,
} from './toast-store.ts';

/** Long enough to read a sentence twice. */
const SHOWN_MS = 6_000;

const LOOKS = {
  success: { icon: CheckIcon, tint: 'text-success' },
  error: { icon: WarningIcon, tint: 'text-error' },
  info: { icon: InfoIcon, tint: 'text-info' },
} as const;

const Toast = ({ message }: { message: ToastMessage }) => {
  const [held, setHeld] = useState(false);
  const stays = held || message.tone === 'error';
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => dismissToast(message.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, message.id]);
  const { icon: Icon, tint } = LOOKS[message.tone];
  return (
    <div
      className="flex w-full items-start gap-3 rounded-box border border-base-300 bg-base-100 p-4 shadow-lg sm:w-80"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={classes('mt-0.5 size-5 shrink-0', tint)} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{message.title}</p>
        {message.text !== undefined && <p className="text-sm text-muted">{message.text}</p>}
      </div>
      <button
        type="button"
        className="btn btn-circle btn-ghost btn-xs"
        aria-label="Dismiss"
        onClick={() => dismissToast(message.id)}
      >
        <CloseIcon className="size-4" />
      </button>
    </div>
  );
};

/**
 * Where toasts appear: in the document, so that screen readers watch it from the start, and in whatever opens over it, as what
 * lies under a dialog cannot be reached. `atTop` where the main button is at the bottom of a phone.
 */
export const Toasts = ({ atTop = false }: { atTop?: boolean }) => {
  const place = useId();
  const messages = useSyncExternalStore(subscribeToToasts, () => toastsAt(place), noToasts);
  useEffect(() => openToastPlace(place), [place]);
  return (
    <div
      role="status"
      aria-live="polite"
      className={classes(
        'pointer-events-none fixed inset-x-4 z-50 flex flex-col items-end gap-3 *:pointer-events-auto',
        atTop ? 'top-4' : 'bottom-4',
      )}
    >
      {messages.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  );
};
