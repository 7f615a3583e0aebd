import type { PhotoChoice } from '#contract/catalog/photos.ts';
import { ApiError } from '#web/api/api-error.ts';

/** What a form holds: what is empty is left out. */
export interface Drafted {
  readonly fields: Record<string, string>;
  readonly photos: PhotoChoice[];
}

export interface DraftKeeper {
  /** From now on `read` tells what the form holds, and only what differs from now is saved. Answers how to end it. */
  readonly watch: (read: () => Drafted) => () => void;
  /** Something was typed or chosen: it is saved some seconds later. */
  readonly note: () => void;
  /** Saves at once what is not saved yet: the page is about to be hidden. */
  readonly flush: () => void;
  /**
   * The form has arrived, or begins anew: nothing of it is saved any more. Answers, once what was on its way has
   * arrived, the version that this tab had.
   */
  readonly settle: () => Promise<number>;
  /** What is typed here goes on from this version, and is saved though another tab saved it. */
  readonly overtake: (version: number) => void;
}

interface Deps {
  /** Saves over the version that this tab had; answers the new one. */
  readonly save: (draft: Drafted & { version: number }) => Promise<{ version: number }>;
  /** Told the version that this tab has, each time it changes. */
  readonly onVersion: (version: number) => void;
  /** Another tab or device has saved since: nothing is saved until it is said which one to keep. */
  readonly onBehind: () => void;
  readonly delayMs: number;
}

/** Keeps what is typed into one form on the server, a save at a time. */
export const createDraftKeeper = (
  { save, onVersion, onBehind, delayMs }: Deps,
  begun: { version: number; isBehind: boolean },
): DraftKeeper => {
  let { version, isBehind } = begun;
  let read: (() => Drafted) | undefined;
  let saved = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSaving = false;
  let underWay: Promise<number | undefined> = Promise.resolve(undefined);
  /** Goes up when what is on its way is about a form that has arrived, or begins anew. */
  let generation = 0;

  const have = (next: number): void => {
    version = next;
    onVersion(next);
  };
  const send = async (): Promise<void> => {
    clearTimeout(timer);
    if (read === undefined || isBehind || isSaving) return;
    const [watched, begunIn] = [read, generation];
    const draft = watched();
    const text = JSON.stringify(draft);
    if (text === saved) return;
    isSaving = true;
    const answering = save({ version, ...draft });
    underWay = answering.then(
      (answer) => answer.version,
      () => undefined,
    );
    try {
      const answer = await answering;
      if (generation !== begunIn) return;
      saved = text;
      have(answer.version);
    } catch (error) {
      if (generation !== begunIn) return;
      // Anything else is tried again with what is typed next; the tab has it all the while.
      if (error instanceof ApiError && error.code === 'draft_newer') {
        isBehind = true;
        onBehind();
      }
    } finally {
      isSaving = false;
    }
    if (!isBehind && read === watched && JSON.stringify(watched()) !== text) note();
  };
  const note = (): void => {
    clearTimeout(timer);
    if (read !== undefined) timer = setTimeout(() => void send(), delayMs);
  };

  return {
    watch: (tell) => {
      read = tell;
      saved = JSON.stringify(tell());
      return () => {
        if (read !== tell) return;
        void send();
        clearTimeout(timer);
        read = undefined;
      };
    },
    note,
    flush: () => void send(),
    settle: () => {
      const [had, sent] = [version, isSaving ? underWay : undefined];
      clearTimeout(timer);
      generation += 1;
      read = undefined;
      isBehind = false;
      have(0);
      return Promise.resolve(sent).then((newer) => newer ?? had);
    },
    overtake: (next) => {
      generation += 1;
      isBehind = false;
      saved = '';
      have(next);
      void send();
    },
  };
};
