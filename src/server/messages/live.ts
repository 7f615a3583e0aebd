import { Readable } from 'node:stream';
import { AppError } from '#server/platform/errors.ts';

/** A session has a few tabs; the oldest stream gives way. */
const MOST_OF_SESSION = 2;
/** In one process; each costs a connection and some kilobytes. Whoever gets none asks now and then. */
const MOST_OF_ALL = 5_000;
/** Well within the time after which proxies and the shop itself end a silent connection. */
const BEAT_MS = 20_000;

interface Listener {
  readonly userId: string;
  readonly sessionId: string;
  readonly until: number;
  readonly stream: Readable;
}

/** Who listens in this process to what is written to them. */
export interface Live {
  /**
   * A stream of lines of JSON: `{"thread": id}` when something was written in a thread of the user, `{}` when something
   * may have been; empty lines keep it open. It ends at `until`, when the process stops, and for a younger one of the
   * same session; 503 where too many listen.
   */
  watch(who: { userId: string; sessionId: string }, until: Date): Readable;
  /** Tells both sides of a thread, from what the database says: the ids of the thread, its buyer and its seller. */
  tell(payload: string): void;
  /** Something may have been missed: everybody looks again. */
  tellAll(): void;
  /** Ends all streams, and each that is asked for from now on. */
  end(): void;
}

export const createLive = (): Live => {
  const listeners = new Map<string, Set<Listener>>();
  let [count, isEnding] = [0, false];
  let timer: NodeJS.Timeout | undefined;

  const say = ({ stream }: Listener, line: string): void => {
    if (!stream.destroyed) stream.push(`${line}\n`);
  };
  const all = (): Listener[] => [...listeners.values()].flatMap((some) => [...some]);
  const drop = (listener: Listener): void => {
    const some = listeners.get(listener.userId);
    if (some?.delete(listener) !== true) return;
    count -= 1;
    if (some.size === 0) listeners.delete(listener.userId);
    if (count === 0) timer = void clearInterval(timer);
  };
  const finish = (listener: Listener): void => {
    drop(listener);
    listener.stream.push(null);
  };
  const beat = (): void => {
    const now = Date.now();
    for (const listener of all()) {
      if (now >= listener.until) finish(listener);
      else say(listener, '');
    }
  };

  return {
    watch: ({ userId, sessionId }, until) => {
      if (count >= MOST_OF_ALL)
        throw new AppError('unavailable', 'Too many people listen here', { retryAfterSeconds: 60 });
      const stream = new Readable({ read: () => {} });
      const listener = { userId, sessionId, until: until.getTime(), stream };
      // The first line says that whatever is written from now on is told.
      stream.push('{}\n');
      if (isEnding) {
        stream.push(null);
        return stream;
      }
      const some = listeners.get(userId) ?? new Set();
      const ofSession = [...some].filter((one) => one.sessionId === sessionId);
      for (const old of ofSession.slice(0, Math.max(0, ofSession.length + 1 - MOST_OF_SESSION))) finish(old);
      listeners.set(userId, (listeners.get(userId) ?? some).add(listener));
      count += 1;
      timer ??= setInterval(beat, BEAT_MS).unref();
      stream.once('close', () => drop(listener));
      return stream;
    },
    tell: (payload) => {
      const [thread, ...userIds] = payload.split(' ');
      for (const userId of userIds)
        for (const listener of listeners.get(userId) ?? []) say(listener, JSON.stringify({ thread }));
    },
    tellAll: () => {
      for (const listener of all()) say(listener, '{}');
    },
    end: () => {
      isEnding = true;
      for (const listener of all()) finish(listener);
    },
  };
};

/** In a process where nothing is heard of messages: streams end at once. */
export const noLive = (): Live => {
  const live = createLive();
  live.end();
  return live;
};
