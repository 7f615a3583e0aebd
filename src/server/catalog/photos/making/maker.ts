import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import pLimit from 'p-limit';
import {
  MAX_PHOTO_PIXELS,
  MAX_PHOTO_RATIO,
  MIN_PHOTO_SIDE,
  SHARED_PHOTO,
  type PhotoRefusal,
} from '#contract/catalog/photo-rules.ts';
import { PHOTO_SIDES } from '#contract/catalog/photo-sizes.ts';
import type { Answer, Made, Making } from './child.ts';

export type { Made, MadeFile } from './child.ts';

/** A picture that is not taken; `words` are the decoder's, for the log. */
export interface NotMade {
  readonly refused: PhotoRefusal;
  readonly words: string;
}

export interface PhotoMaker {
  /**
   * Writes a picture anew, in a process of its own; pictures wait for each other. Its smaller side has `minSide` pixels
   * at least, or as many as a photo of a book.
   */
  make(bytes: Uint8Array, minSide?: number): Promise<{ readonly made: Made } | NotMade>;
  /** How many wait. */
  waiting(): number;
  close(): Promise<void>;
}

const LIMIT_MS = 20_000;
/** A decoder is begun anew after so many pictures, and ends when nothing was asked of it for so long. */
const MOST_PICTURES = 50;
const IDLE_MS = 30_000;

const CHILD = path.join(import.meta.dirname, 'child.ts');
const PACKAGES = path.join(import.meta.dirname, '../../../../../node_modules');

/** It reads its own and its library's files; no environment, programs or threads. What it is told are messages. */
const start = (): ChildProcess => {
  const readable = [CHILD, PACKAGES].flatMap((place) => [place, realpathSync(place)]);
  const child = fork(CHILD, {
    execArgv: [
      '--permission',
      '--allow-addons',
      ...[...new Set(readable)].map((place) => `--allow-fs-read=${place}`),
      '--no-warnings',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Browsing comes first. At the very lowest priority a machine without a free core took longer than LIMIT_MS for a
  // picture of a tenth of a second, and its seller read that it could not be read.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return child;
};

/** One decoder, begun when there is a picture. */
export const createPhotoMaker = ({ limitMs = LIMIT_MS }: { readonly limitMs?: number } = {}): PhotoMaker => {
  const oneByOne = pLimit(1);
  let running: ChildProcess | undefined;
  let made = 0;
  let idle: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    const child = running;
    running = undefined;
    made = 0;
    clearTimeout(idle);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };

  const ask = async (making: Making): Promise<{ made: Made } | NotMade> => {
    clearTimeout(idle);
    const child = (running ??= start());
    const answered = Promise.withResolvers<Answer | 'died' | 'slow'>();
    const onMessage = (answer: Answer): void => {
      if (answer.id === making.id) answered.resolve(answer);
    };
    const onExit = (): void => answered.resolve('died');
    child.on('message', onMessage).once('exit', onExit).once('error', onExit);
    const limit = setTimeout(() => answered.resolve('slow'), limitMs);
    try {
      child.send(making, (error) => {
        if (error !== null) answered.resolve('died');
      });
      const answer = await answered.promise;
      made += 1;
      if (answer === 'died' || answer === 'slow' || made >= MOST_PICTURES) await end();
      else idle = setTimeout(() => void end(), IDLE_MS).unref();
      if (answer === 'slow') return { refused: 'slow', words: `more than ${limitMs} ms` };
      // What ends the decoder would end the next one as well.
      if (answer === 'died') return { refused: 'broken', words: 'the decoder ended' };
      return 'made' in answer ? { made: answer.made } : { refused: answer.refused, words: answer.words };
    } finally {
      clearTimeout(limit);
      child.off('message', onMessage).off('exit', onExit).off('error', onExit);
    }
  };

  let count = 0;
  return {
    make: (bytes, minSide = MIN_PHOTO_SIDE) => {
      if (bytes.length === 0) return Promise.resolve({ refused: 'empty', words: '' });
      const id = (count += 1);
      const rules = { maxPixels: MAX_PHOTO_PIXELS, minSide, maxRatio: MAX_PHOTO_RATIO };
      return oneByOne(() => ask({ id, bytes, ...rules, sides: PHOTO_SIDES, shared: SHARED_PHOTO }));
    },
    waiting: () => oneByOne.pendingCount + oneByOne.activeCount,
    close: end,
  };
};
