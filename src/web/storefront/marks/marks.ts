import { addWish, listMarks, removeWish } from '#contract/wants/watching.ts';
import { call } from '#web/api/call.ts';

// Pages are rendered the same for everyone: which of their copies a reader marked is asked once, for all hearts of all
// pages together.

const listeners = new Set<() => void>();
let known: ReadonlySet<string> | undefined;
/** Whose marks are asked for or known. */
let knownTo: string | undefined;
/** Counts what was pressed: an answer asked for before is older than that. */
let pressed = 0;

const become = (next: ReadonlySet<string> | undefined): void => {
  known = next;
  for (const listener of listeners) listener();
};

const ask = async (userId: string): Promise<void> => {
  const before = pressed;
  const { ids } = await call(listMarks, {});
  if (knownTo !== userId) return;
  if (before === pressed) become(new Set(ids));
  else await ask(userId);
};

/** Watches the marks of a reader: `listener` is called when they change, until the answered function is called. */
export const watchMarks = (userId: string, listener: () => void): (() => void) => {
  listeners.add(listener);
  if (knownTo !== userId) {
    knownTo = userId;
    known = undefined;
    // Without it the hearts are empty, and the next page asks again.
    ask(userId).catch(() => {
      if (knownTo === userId) knownTo = undefined;
    });
  }
  return () => listeners.delete(listener);
};

/** Whether a copy is marked, as far as that is known. */
export const isMarked = (id: string): boolean => known?.has(id) === true;

/** Marks a copy, or takes the mark off; answers whether it is marked now. */
export const pressMark = async (id: string): Promise<boolean> => {
  const { wished } = await call(isMarked(id) ? removeWish : addWish, { params: { id } });
  pressed += 1;
  const next = new Set(known);
  if (wished) next.add(id);
  else next.delete(id);
  become(next);
  return wished;
};
