import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from '#web/ui/icons.tsx';
import {
  dismissToast,
  noToasts,
  openToastPlace,
  subscribeToToasts,
  toastsAt,
  type ToastMessage,
} from './toast-store.ts';
import { useSide } from './toast-side.ts';

/** Long enough to read a sentence twice. */
const SHOWN_MS = 6_000;
/** A link must be reached as well, by keyboard too. */
const LINK_SHOWN_MS = 20_000;

const LOOKS = {
  success: { icon: CheckIcon, tint: 'text-success' },
  error: { icon: WarningIcon, tint: 'text-error' },
  info: { icon: InfoIcon, tint: 'text-info' },
} as const;

const Toast = ({ message }: { message: ToastMessage }) => {
  const [held, setHeld] = useState(false);
  const stays = held || message.tone === 'error';
  const hasLink = message.link !== undefined;
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => dismissToast(message.id), hasLink ? LINK_SHOWN_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [stays, hasLink, message.id]);
  const { icon: Icon, tint } = LOOKS[message.tone];
  return (
    <div
      className="flex w-full items-start gap-3 rounded-box border border-base-300 bg-base-100 p-3 shadow-lg sm:w-80 sm:p-4"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={classes('mt-0.5 size-5 shrink-0', tint)} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{message.title}</p>
        {message.text !== undefined && <p className="text-sm text-muted">{message.text}</p>}
        {message.link !== undefined && (
          <Link
            {...message.link}
            className={buttonClass('primary', 'md', 'mt-2')}
            onClick={() => dismissToast(message.id)}
          />
        )}
      </div>
      <button
        type="button"
        className="btn btn-circle btn-ghost -my-2.5 -mr-2.5 size-11"
        aria-label="Dismiss"
        onClick={() => dismissToast(message.id)}
      >
        <CloseIcon className="size-4" />
      </button>
    </div>
  );
};

/**
 * Where toasts appear: in the document, so that screen readers watch it from the start, and in whatever opens over it,
 * as what lies under a dialog cannot be reached. At the bottom, or `atTop` where the main button is there; always where
 * they cover least of what is done next.
 */
export const Toasts = ({ atTop = false }: { atTop?: boolean }) => {
  const place = useId();
  const { pathname } = useLocation();
  const messages = useSyncExternalStore(subscribeToToasts, () => toastsAt(place), noToasts);
  useEffect(() => {
    // One that leads to where one is has done its part.
    for (const { id, link } of messages) if (link?.to === pathname) dismissToast(id);
  }, [messages, pathname]);
  const element = useRef<HTMLDivElement>(null);
  const side = useSide(element, atTop ? 'top' : 'bottom', messages.length > 0);
  useEffect(() => openToastPlace(place), [place]);
  return (
    <div
      ref={element}
      role="status"
      aria-live="polite"
      className={classes(
        'pointer-events-none print:hidden fixed inset-x-4 z-50 flex flex-col items-end gap-3 *:pointer-events-auto',
        side === 'top' ? 'top-4' : 'bottom-4',
      )}
    >
      {messages.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  );
};
