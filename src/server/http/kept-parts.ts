import type { PublicAnswer, ResponseCache, Ticket } from './response-cache.ts';

/** Gives what `make` makes for everyone, made once until what it is about has changed. */
export type KeepPart = (key: string, make: () => Promise<string>) => Promise<string>;

/** Where nothing is kept. */
export const makeAnew: KeepPart = (_key, make) => make();

const asAnswer = (text: string): PublicAnswer => ({ body: Buffer.from(text), etag: '', headers: {} });

const makeFor = async (cache: ResponseCache, ticket: Ticket, make: () => Promise<string>): Promise<string> => {
  try {
    const text = await make();
    cache.keep(ticket, asAnswer(text));
    return text;
  } finally {
    // After it was kept this is nothing.
    cache.abandon(ticket);
  }
};

/**
 * Keeps parts that many answers share beside the answers themselves, by the same rules (response-cache.ts): each is made once
 * however many wait for it, and is dropped when one of `scopes` changes. `name` keeps the keys of one kind of part from those of another.
 */
export const keepPartsIn =
  (cache: ResponseCache, name: string, scopes: readonly string[]): KeepPart =>
  async (part, make) => {
    // Addresses begin with a slash, so no part is ever taken for an answer.
    const key = `${name} ${part}`;
    const found = cache.find(key, () => scopes);
    if (found.kind === 'missing') return makeFor(cache, found.ticket, make);
    if (found.kind === 'kept') return (await found.form(undefined)).body.toString();
    await new Promise<void>((resolve) => {
      found.ticket.waiting.push(resolve);
    });
    const made = cache.find(key, () => scopes);
    if (made.kind === 'kept') return (await made.form(undefined)).body.toString();
    // It could not be made, or was outdated at once: whoever waited so long waits for nobody else.
    return made.kind === 'missing' ? makeFor(cache, made.ticket, make) : make();
  };
