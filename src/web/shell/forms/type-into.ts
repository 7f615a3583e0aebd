export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

export const isChoice = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio';

/** Types `value` as the person did, so that everything that listens hears of it. */
export const typeInto = (control: Control, value: string): void => {
  if (isChoice(control)) {
    if (control.checked !== (control.value === value)) control.click();
    return;
  }
  // React keeps a setter of its own on the element; only the real one makes it notice the change.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value);
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
};
