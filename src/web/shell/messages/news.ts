import { useEffect, useSyncExternalStore } from 'react';
import { countUnreadThreads, watchThreads } from '#contract/messages/threads.ts';
import { call, usableToken } from '#web/api/call.ts';

let unread = 0;
const counters = new Set<() => void>();
/** Who wants to know that something was written; `thread` is undefined where it may be any. */
const watchers = new Set<(thread: string | undefined) => void>();

/** Asks in how many threads something is new; what cannot be asked leaves the number as it is. */
export const refreshUnreadMessages = async (): Promise<void> => {
  try {
    ({ unread } = await call(countUnreadThreads, {}));
    for (const counter of counters) counter();
  } catch {
    // The header is no place for errors: the page says what is wrong.
  }
};

const subscribe = (counter: () => void): (() => void) => {
  counters.add(counter);
  return () => counters.delete(counter);
};

/** In how many threads something is new to whoever is signed in; 0 until that is known. */
export const useUnreadMessages = (): number =>
  useSyncExternalStore(
    subscribe,
    () => unread,
    () => 0,
  );

const tell = (thread: string | undefined): void => {
  void refreshUnreadMessages();
  for (const watcher of watchers) watcher(thread);
};

/** Calls `look` when something was written in a thread, or may have been; `thread` undefined: in any. */
export const useMessageNews = (thread: string | undefined, look: () => void): void => {
  useEffect(() => {
    const watcher = (of: string | undefined): void => {
      if (thread === undefined || of === undefined || of === thread) look();
    };
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }, [thread, look]);
};

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

const threadIn = (line: string): string | undefined => (JSON.parse(line) as { thread?: string }).thread;

/** Reads the stream until it ends; its first line says that what is written from now on is told. */
const readStream = async (signal: AbortSignal): Promise<void> => {
  const token = await usableToken();
  if (token === undefined) throw new Error('nobody is signed in');
  const response = await fetch(`/api${watchThreads.path}`, { headers: { authorization: `Bearer ${token}` }, signal });
  if (!response.ok || response.body === null) throw new Error(`the stream was answered ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') tell(threadIn(line));
  }
};

/**
 * Listens to what is written to whoever is signed in, while the page is looked at. A stream that ended is opened again,
 * at once where it told something and later and later where it cannot be; whoever comes back to the page asks anew.
 */
export const listenToMessages = (): (() => void) => {
  let [over, pauseMs] = [false, FIRST_PAUSE_MS];
  let stream: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = async (): Promise<void> => {
    const opened = new AbortController();
    stream = opened;
    const began = Date.now();
    try {
      await readStream(opened.signal);
    } catch {
      // Nobody is told: pages ask when somebody comes back to them.
    }
    if (over || opened.signal.aborted) return;
    pauseMs = Date.now() - began > LONGEST_PAUSE_MS ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    timer = setTimeout(() => void open(), pauseMs * (0.5 + Math.random() / 2));
  };
  const close = (): void => {
    clearTimeout(timer);
    stream?.abort();
  };
  const follow = (): void => {
    close();
    pauseMs = FIRST_PAUSE_MS;
    if (document.visibilityState === 'visible') void open();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  addEventListener('online', follow);
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', follow);
    removeEventListener('online', follow);
    close();
  };
};
