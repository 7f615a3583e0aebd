import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router';
import { sessionState } from '#web/api/session.ts';
import { toast } from '#web/ui/toast/toast-store.ts';
import { draftOf, keepDraft, type Typed } from './drafts.ts';
import { isChoice, isControl, typeInto, type Control } from './type-into.ts';

/** Passwords and cards are typed again: they are never kept, shown or hidden. */
const SECRET = /password|one-time-code|^cc-/;

const isKept = (control: Control): boolean =>
  control.type !== 'file' && !SECRET.test(control.type) && !SECRET.test(control.autocomplete);

const controlsOf = (form: HTMLFormElement, names: readonly string[]): Control[] =>
  [...form.elements].filter(isControl).filter((control) => names.includes(control.name) && isKept(control));

/** What the form holds; a box or button counts while it is chosen. */
const typedIn = (form: HTMLFormElement, names: readonly string[]): Typed =>
  Object.fromEntries(
    controlsOf(form, names)
      .filter((control) => !isChoice(control) || control.checked)
      .map(({ name, value }) => [name, value]),
  );

/** What differs from what the form began with. */
const changesOf = (now: Typed, before: Typed): Typed =>
  Object.fromEntries(
    [...new Set([...Object.keys(now), ...Object.keys(before)])]
      .filter((name) => now[name] !== before[name])
      .map((name) => [name, now[name] ?? '']),
  );

/** What a form is known by: its address and its fields. */
export const draftKeyOf = (address: string, names: readonly string[]): string => `${address} ${names.join(' ')}`;

export interface DraftKeeper {
  /** Something was typed. */
  readonly note: () => void;
  /** What was typed has arrived: there is nothing to lose any more. */
  readonly settle: () => void;
}

/**
 * Keeps what is typed into a form of somebody who is signed in until it is sent: their session may end, the way back
 * may lead over another page or through the sign-in, and the same person finds the form as it was. Leaving the document
 * warns first. The form is known by its address and its fields.
 */
export const useDraft = (
  form: RefObject<HTMLFormElement | null>,
  names: readonly string[],
  isOn: boolean,
): DraftKeeper => {
  const { pathname, search } = useLocation();
  const key = draftKeyOf(`${pathname}${search}`, names);
  const begun = useRef<{ owner: string; element: HTMLFormElement; before: Typed }>(undefined);
  const fields = useRef(names);
  // One of its own: another form of the page may have something to lose when this one has not.
  const [warn] = useState(
    () =>
      (event: BeforeUnloadEvent): void =>
        event.preventDefault(),
  );

  const note = useCallback((): void => {
    if (begun.current === undefined) return;
    const { owner, element, before } = begun.current;
    const changes = changesOf(typedIn(element, fields.current), before);
    keepDraft(key, owner, changes);
    if (Object.keys(changes).length > 0 && element.isConnected) addEventListener('beforeunload', warn);
    else removeEventListener('beforeunload', warn);
  }, [key, warn]);

  const settle = useCallback((): void => {
    // Also where sending it led to another page, and the form is gone.
    keepDraft(key, '', {});
    if (begun.current !== undefined) begun.current.before = typedIn(begun.current.element, fields.current);
    removeEventListener('beforeunload', warn);
  }, [key, warn]);

  useEffect(() => {
    const session = sessionState();
    const element = form.current;
    if (!isOn || element === null || session.status !== 'in') return undefined;
    const { uid } = session.user;
    if (begun.current?.element !== element) {
      begun.current = { owner: uid, element, before: typedIn(element, fields.current) };
    }
    const draft = draftOf(key, uid);
    if (draft !== undefined) {
      for (const control of controlsOf(element, Object.keys(draft))) typeInto(control, draft[control.name] ?? '');
      note();
      toast('Here is what you had typed', { tone: 'info', text: 'Nothing was sent yet.' });
    }
    return () => removeEventListener('beforeunload', warn);
  }, [form, key, isOn, note, warn]);

  return { note, settle };
};
