export type ToastTone = 'success' | 'error' | 'info';

/** Where a notice leads on. */
export interface ToastLink {
  readonly to: string;
  /** Its words. */
  readonly children: string;
  /** Both for a page that has to be loaded as a document. */
  readonly reloadDocument?: boolean;
  readonly rel?: 'external';
}

export interface ToastMessage {
  readonly id: number;
  readonly tone: ToastTone;
  readonly title: string;
  readonly text: string | undefined;
  readonly link: ToastLink | undefined;
}

const NONE: readonly ToastMessage[] = [];
const listeners = new Set<() => void>();
let messages: readonly ToastMessage[] = NONE;
let lastId = 0;

const become = (next: readonly ToastMessage[]): void => {
  messages = next;
  for (const listener of listeners) listener();
};

export const noToasts = (): readonly ToastMessage[] => NONE;

export const dismissToast = (id: number): void => become(messages.filter((message) => message.id !== id));

/**
 * The places where toasts can appear, the uppermost last: what a dialog covers cannot be seen, read out or dismissed.
 */
let places: readonly string[] = [];

/** Makes `place` the uppermost until the answered function is called. */
export const openToastPlace = (place: string): (() => void) => {
  places = [...places, place];
  become(messages);
  return () => {
    places = places.filter((other) => other !== place);
    become(messages);
  };
};

/** The messages to show at `place`: all at the uppermost, none elsewhere. */
export const toastsAt = (place: string): readonly ToastMessage[] => (places.at(-1) === place ? messages : NONE);

export const subscribeToToasts = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Shows a short notice that survives going to another page. An error stays until it is dismissed, others leave by
 * themselves and make way for the next: a pile of them would cover what is done next.
 */
export const toast = (title: string, more: { tone?: ToastTone; text?: string; link?: ToastLink } = {}): void => {
  lastId += 1;
  const others = messages.filter(
    (other) => other.tone === 'error' && (other.title !== title || other.text !== more.text),
  );
  become([...others, { id: lastId, tone: more.tone ?? 'success', title, text: more.text, link: more.link }]);
};
