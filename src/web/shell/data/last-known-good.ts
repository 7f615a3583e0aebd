import { ApiError, messageOf } from '#web/api/api-error.ts';
import { toast } from '#web/ui/toast/toast-store.ts';

/** As many pages as one goes back and forth between. */
const MAX_KEPT = 8;

const kept = new Map<string, unknown>();

/** No answer, or one that says "later": what was shown before is still the best there is. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/**
 * Answers what `load` loads. When that fails for now, and `what` was loaded before, answers it as it was and says so:
 * reading a page again must not take it, or what somebody typed into it, away. Undefined for `what` keeps nothing.
 */
export const withLastKnownGood = async <T>(what: string | undefined, load: () => Promise<T>): Promise<T> => {
  try {
    const data = await load();
    if (what === undefined) return data;
    kept.delete(what);
    kept.set(what, data);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return data;
  } catch (error) {
    if (what === undefined || !kept.has(what) || !isPassing(error)) throw error;
    toast('You see this page as it was', { tone: 'error', text: messageOf(error) });
    // The same `load` answered it under the same name.
    return kept.get(what) as T;
  }
};

/** Lists that were read on beyond their first page, by the history entry they belong to. */
const lists = new Map<string, unknown>();

/** Keeps a list as it is shown at `place`, so that Back finds it there. */
export const keepList = (place: string, list: unknown): void => {
  lists.delete(place);
  lists.set(place, list);
  const [oldest] = lists.keys();
  if (lists.size > MAX_KEPT && oldest !== undefined) lists.delete(oldest);
};

/** The list that was shown at `place`; whoever kept it knows its shape. */
export const listAt = <T>(place: string): T | undefined => lists.get(place) as T | undefined;

/** What one person was shown is not for the next. */
export const forgetLastKnownGood = (): void => {
  kept.clear();
  lists.clear();
};
