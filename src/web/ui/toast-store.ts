export type ToastTone = 'success' | 'error' | 'info';

export interface ToastMessage {
  readonly id: number;
  readonly tone: ToastTone;
  readonly title: string;
  readonly text: string | undefined;
}

const NONE: readonly ToastMessage[] = [];
const listeners = new Set<() => void>();
let messages: readonly ToastMessage[] = NONE;
let lastId = 0;

const become = (next: readonly ToastMessage[]): void => {
  messages = next;
  for (const listener of listeners) listener();
};

/** The messages on show; the same array until it changes. */
export const toasts = (): readonly ToastMessage[] => messages;
export const noToasts = (): readonly ToastMessage[] => NONE;

export const dismissToast = (id: number): void => become(messages.filter((message) => message.id !== id));

export const subscribeToToasts = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows a short notice that survives going to another page. An error stays until it is dismissed, others leave by themselves. */
export const toast = (title: string, more: { tone?: ToastTone; text?: string } = {}): void => {
  lastId += 1;
  become([...messages, { id: lastId, tone: more.tone ?? 'success', title, text: more.text }]);
};
