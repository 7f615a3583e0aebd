import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import pLimit from 'p-limit';
import type { Config } from '#server/platform/config.ts';
import { AppError } from '#server/platform/errors.ts';

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 30 ms of one core. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Hashes computed at once: two keep both memory (38 MiB) and half of the thread pool free for everything else. */
const AT_ONCE = 2;
/**
 * Password checks under way at most, waiting ones included; beyond it, answering "later" beats answering a minute late.
 */
const MOST_UNDER_WAY = 250;
/**
 * Of those, what one network may hold in production: four others find room beside it. A demo's crowds come from one
 * machine.
 */
const MOST_OF_A_NETWORK = 50;

interface Hash {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

const compute = promisify(argon2);
const limit = pLimit(AT_ONCE);
let underWay = 0;
const underWayOf = new Map<string, number>();

const tagOf = (password: string, hash: Omit<Hash, 'tag'>, tagLength: number): Promise<Buffer> =>
  limit(() =>
    compute('argon2id', {
      // One password, however the keyboard composes its accents.
      message: Buffer.from(password.normalize('NFC'), 'utf8'),
      nonce: hash.salt,
      parallelism: hash.parallelism,
      tagLength,
      memory: hash.memory,
      passes: hash.passes,
    }),
  );

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const encode = (hash: Hash): string =>
  `$argon2id$v=19$m=${hash.memory},t=${hash.passes},p=${hash.parallelism}$${base64(hash.salt)}$${base64(hash.tag)}`;

const decode = (text: string): Hash => {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text);
  if (parts === null) throw new Error('a stored password hash is not a PHC string of argon2id');
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
};

/**
 * Verified where there is no account, so that "no such user" takes as long as "wrong password"; no password matches it.
 */
const NOBODY = encode({
  memory: MEMORY_KIB,
  passes: PASSES,
  parallelism: LANES,
  salt: Buffer.alloc(SALT_BYTES, 1),
  tag: Buffer.alloc(TAG_BYTES),
});

/** Whose work it is: a network holds no more than its share of the room. */
export interface Hasher {
  readonly network: string;
  readonly mode: Config['mode'];
}

const LATER_SECONDS = 5;

/**
 * Runs what will need a hash, or refuses at once: 503 when so much of it is under way that it would only be late, 429
 * when too much of it is this network's.
 */
export const withHashingRoom = async <T>({ network, mode }: Hasher, work: () => Promise<T>): Promise<T> => {
  const own = underWayOf.get(network) ?? 0;
  if (mode === 'production' && own >= MOST_OF_A_NETWORK) {
    throw new AppError('too_many', 'Many people of your network are signing in at once; please try again in a moment', {
      retryAfterSeconds: LATER_SECONDS,
    });
  }
  if (underWay >= MOST_UNDER_WAY) {
    throw new AppError('unavailable', 'Many people are signing in at once; please try again in a moment', {
      retryAfterSeconds: LATER_SECONDS,
    });
  }
  underWay += 1;
  underWayOf.set(network, own + 1);
  try {
    return await work();
  } finally {
    underWay -= 1;
    const left = (underWayOf.get(network) ?? 1) - 1;
    if (left === 0) underWayOf.delete(network);
    else underWayOf.set(network, left);
  }
};

/** The PHC string of argon2id to store for `password`; computed off the event loop, a few at a time. */
export const hashPassword = async (password: string): Promise<string> => {
  const shape = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES, salt: randomBytes(SALT_BYTES) };
  return encode({ ...shape, tag: await tagOf(password, shape, TAG_BYTES) });
};

/**
 * Whether `password` is the one stored as `stored`; `null` (no account, or none with a password) takes as long and is
 * false.
 */
export const isPassword = async (password: string, stored: string | null): Promise<boolean> => {
  const hash = decode(stored ?? NOBODY);
  const tag = await tagOf(password, hash, hash.tag.length);
  return timingSafeEqual(tag, hash.tag) && stored !== null;
};
