import { MAX_PHOTOS, type ListingPhoto, type Photo, type PhotoChoice } from '#contract/catalog/photos.ts';
import { type PhotoCaption } from '#contract/catalog/photo-rules.ts';

/** A picture on the form. */
export interface PhotoItem {
  readonly id: string;
  readonly caption: PhotoCaption | null;
  /** The picture itself, or where it is; undefined until it was read. */
  readonly preview: Blob | string | undefined;
  /** `waiting`: it is its turn soon, or the connection is away; `refused`: the sentence says why. */
  readonly state: 'waiting' | 'sending' | 'there' | 'refused';
  /** Share that has left, from 0 to 1. */
  readonly progress: number;
  readonly says: string | undefined;
}

interface Held extends PhotoItem {
  readonly file: Blob | undefined;
  readonly small: Blob | undefined;
  readonly tries: number;
  readonly cut: AbortController;
}

/** Why a try ended: `again` after a pause, or never by itself. */
export interface Failure {
  readonly again: boolean;
  readonly says: string;
}

export interface PhotoQueueDeps {
  readonly newId: () => string;
  /** Makes a picture small; throws an error whose message its owner reads. */
  readonly shrink: (file: Blob) => Promise<Blob>;
  readonly send: (
    id: string,
    picture: Blob,
    sending: { onProgress: (share: number) => void; signal: AbortSignal },
  ) => Promise<Photo>;
  readonly failureOf: (error: unknown) => Failure;
}

export interface PhotoQueue {
  items(): readonly PhotoItem[];
  subscribe(onChange: () => void): () => void;
  /** Answers how many were too many. */
  add(files: readonly Blob[]): number;
  remove(id: string): void;
  /** Puts a removed one back where it was. */
  restore(id: string): void;
  move(id: string, to: number): void;
  setCaption(id: string, caption: PhotoCaption | null): void;
  /** Sends again what was refused or waits for the connection. */
  retry(id?: string): void;
  /** Photos that are there, as a listing is told of them. */
  chosen(): readonly PhotoChoice[];
  /** How many are still under way. */
  underWay(): number;
  close(): void;
}

const AT_ONCE = 2;
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

/**
 * Photos on a form: made small, sent two at a time, and again after a lost connection; in the order their owner gives
 * them.
 */
export const createPhotoQueue = (
  deps: PhotoQueueDeps,
  before: readonly { id: string; caption: PhotoCaption | null; preview: PhotoItem['preview'] }[] = [],
): PhotoQueue => {
  const there = { state: 'there', progress: 1, says: undefined, file: undefined, small: undefined, tries: 0 } as const;
  let held: readonly Held[] = before.map((one) => ({ ...one, ...there, cut: new AbortController() }));
  const removed = new Map<string, { item: Held; at: number }>();
  const listeners = new Set<() => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let isClosed = false;

  const set = (next: readonly Held[]): void => {
    held = next;
    for (const listener of listeners) listener();
  };
  const find = (id: string): Held | undefined => held.find((item) => item.id === id);
  const change = (id: string, changes: Partial<Held>): void => {
    if (find(id) !== undefined) set(held.map((item) => (item.id === id ? { ...item, ...changes } : item)));
  };

  const later = (id: string, tries: number): void => {
    const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] ?? 0;
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        next();
      }, pause),
    );
  };

  const bring = async (item: Held): Promise<void> => {
    const { id, cut } = item;
    try {
      const small = item.small ?? (item.file === undefined ? undefined : await deps.shrink(item.file));
      if (small === undefined || isClosed) return;
      change(id, { small, file: undefined, preview: small });
      const onProgress = (progress: number): void => change(id, { progress });
      await deps.send(id, small, { onProgress, signal: cut.signal });
      change(id, { state: 'there', progress: 1, says: undefined, small: undefined });
    } catch (error) {
      if (cut.signal.aborted) return;
      const { again, says } = deps.failureOf(error);
      const tries = item.tries + 1;
      change(id, { state: again ? 'waiting' : 'refused', progress: 0, says, tries });
      if (again) later(id, tries);
    }
  };

  const next = (): void => {
    if (isClosed) return;
    const busy = held.filter(({ state }) => state === 'sending').length;
    const ready = held.filter(({ id, state }) => state === 'waiting' && !timers.has(id)).slice(0, AT_ONCE - busy);
    for (const item of ready) {
      change(item.id, { state: 'sending', says: undefined });
      void bring(item).finally(next);
    }
  };

  const stopTimer = (id: string): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };

  return {
    items: () => held,
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    add: (files) => {
      const taken = files.slice(0, Math.max(0, MAX_PHOTOS - held.length));
      const fresh = taken.map((file): Held => ({
        id: deps.newId(),
        caption: null,
        preview: undefined,
        state: 'waiting',
        progress: 0,
        says: undefined,
        file,
        small: undefined,
        tries: 0,
        cut: new AbortController(),
      }));
      set([...held, ...fresh]);
      next();
      return files.length - taken.length;
    },
    remove: (id) => {
      const at = held.findIndex((item) => item.id === id);
      const item = held[at];
      if (item === undefined) return;
      stopTimer(id);
      item.cut.abort();
      removed.set(id, { item, at });
      set(held.filter((one) => one.id !== id));
      next();
    },
    restore: (id) => {
      const was = removed.get(id);
      if (was === undefined || held.length >= MAX_PHOTOS) return;
      removed.delete(id);
      const state = was.item.state === 'sending' ? 'waiting' : was.item.state;
      set(held.toSpliced(was.at, 0, { ...was.item, state, cut: new AbortController() }));
      next();
    },
    move: (id, to) => {
      const at = held.findIndex((item) => item.id === id);
      const item = held[at];
      if (item === undefined || to < 0 || to >= held.length || to === at) return;
      set(held.toSpliced(at, 1).toSpliced(to, 0, item));
    },
    setCaption: (id, caption) => change(id, { caption }),
    retry: (id) => {
      for (const item of held) {
        const isWanted = id === undefined ? item.state === 'waiting' : item.id === id && item.state !== 'there';
        if (!isWanted || item.state === 'sending') continue;
        stopTimer(item.id);
        change(item.id, { state: 'waiting', says: undefined });
      }
      next();
    },
    chosen: () => held.filter(({ state }) => state === 'there').map(({ id, caption }) => ({ id, caption })),
    underWay: () => held.filter(({ state }) => state === 'waiting' || state === 'sending').length,
    close: () => {
      isClosed = true;
      for (const id of timers.keys()) stopTimer(id);
      for (const { cut } of held) cut.abort();
    },
  };
};

/** Photos of a listing as its form begins with them. */
export const photosOf = (photos: readonly ListingPhoto[], pathOf: (photo: ListingPhoto) => string) =>
  photos.map((photo) => ({ id: photo.id, caption: photo.caption, preview: pathOf(photo) }));
