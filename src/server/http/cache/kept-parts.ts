import type { PublicAnswer, ReadyForm, ResponseCache } from './response-cache.ts';

/** How something is read from what is kept, or made and, where it is for everyone, given to be kept. */
interface Making<A> {
  read(form: ReadyForm): A;
  make(): Promise<{ readonly made: A; readonly answer: PublicAnswer | undefined }>;
}

/**
 * Has what is under `key` from the cache, or makes it: once, however many ask meanwhile, and by the cache's own rules
 * (response-cache.ts): dropped when one of `scopes` changes, kept for nobody when that happened while it was made. While nobody tells
 * what changes it is made anew: a part a second old in an answer that is kept for a second would be two.
 */
export const sharedBy = async <A>(
  cache: ResponseCache,
  key: string,
  scopes: readonly string[],
  making: Making<A>,
  mayWait = true,
): Promise<A> => {
  if (!cache.isCurrent()) return (await making.make()).made;
  const found = cache.find(key, () => scopes);
  if (found.kind === 'kept') return making.read(await found.form(undefined));
  if (found.kind === 'coming') {
    // It could not be made, or was outdated at once: whoever waited so long waits for nobody else.
    if (!mayWait) return (await making.make()).made;
    await new Promise<void>((resolve) => found.ticket.waiting.push(resolve));
    return sharedBy(cache, key, scopes, making, false);
  }
  try {
    const { made, answer } = await making.make();
    if (answer !== undefined) cache.keep(found.ticket, answer.body, () => answer);
    return made;
  } finally {
    // After it was kept this is nothing.
    cache.abandon(found.ticket);
  }
};

/** Gives what `make` makes for everyone, made once until what it is about has changed. */
export type KeepPart = (part: string, make: () => Promise<string>) => Promise<string>;

/** Where nothing is kept. */
export const makeAnew: KeepPart = (_part, make) => make();

/** Keeps parts that many answers share beside the answers. `name` tells the parts of one kind from those of another. */
export const keepPartsIn =
  (cache: ResponseCache, name: string, scopes: readonly string[]): KeepPart =>
  (part, make) =>
    // Addresses begin with a slash, so no part is ever taken for an answer.
    sharedBy(cache, `${name} ${part}`, scopes, {
      read: ({ body }) => body.toString(),
      make: async () => {
        const made = await make();
        return { made, answer: { body: Buffer.from(made), etag: '', headers: [] } };
      },
    });
