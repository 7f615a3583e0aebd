import { compress, encodingOf, type Encoding } from './compress.ts';

/** Without news of what changes, an answer is kept this long. */
const ALONE_MS = 1_000;
/** What an entry costs beside its bytes. */
const OVERHEAD_BYTES = 1_000;
/** A single answer beyond this share of the cache would push out too many others. */
const LARGEST_SHARE = 1 / 16;

/** A public answer as it is sent to everyone. */
export interface PublicAnswer {
  readonly body: Buffer;
  readonly etag: string;
  /** Everything but length and encoding, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One form of a kept answer, ready for `writeHead`. */
export interface ReadyForm {
  readonly headers: string[];
  readonly body: Buffer;
}

interface Entry {
  readonly answer: PublicAnswer;
  readonly scopes: readonly string[];
  readonly begunAt: number;
  readonly forms: Map<Encoding, ReadyForm | Promise<ReadyForm>>;
  bytes: number;
}

/** Leave to fill a place; given to the one request that computes an answer. */
export interface Ticket {
  readonly key: string;
  readonly scopes: readonly string[];
  readonly waiting: (() => void)[];
  /** What is computed is as old as this. */
  readonly begunAt: number;
  /** False once something changed that the answer may not know of. */
  isValid: boolean;
}

export interface ResponseCacheOptions {
  readonly maxBytes: number;
  /** Whether everything that changed until a moment ago is known. */
  readonly isCurrent: () => boolean;
  readonly now?: () => number;
}

export interface Kept {
  readonly kind: 'kept';
  readonly etag: string;
  readonly form: (accept: string | undefined) => ReadyForm | Promise<ReadyForm>;
}

/** What is found for a request: an answer, leave to compute it, or somebody who does so already. */
export type Found =
  Kept | { readonly kind: 'missing'; readonly ticket: Ticket } | { readonly kind: 'coming'; readonly ticket: Ticket };

export interface ResponseCache {
  /** Whether everything that changed until a moment ago is known. */
  isCurrent(): boolean;
  /** What is kept under `key` and holds; nothing is begun for it. */
  peek(key: string): Kept | undefined;
  find(key: string, scopesOf: () => readonly string[]): Found;
  /** Keeps an answer unless something changed since its ticket was given; lets those who wait go on either way. */
  keep(ticket: Ticket, answer: PublicAnswer): void;
  /** Ends a ticket without an answer. */
  abandon(ticket: Ticket): void;
  /** Drops what belongs to one of the scopes, and what is being computed of it. */
  drop(scopes: ReadonlySet<string>): void;
  dropAll(): void;
  readonly bytes: number;
  readonly entries: number;
}

const formOf = (answer: PublicAnswer, encoding: Encoding, body: Buffer): ReadyForm => ({
  headers: [
    ...Object.entries(answer.headers).flat(),
    ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
    'content-length',
    String(body.length),
  ],
  body,
});

/**
 * Public answers by address, bounded in bytes, the least recently used go first. Each is computed once however many ask for it;
 * one whose computation began before a change is never kept. While it is not known what changes, an entry lives for a second.
 */
export const createResponseCache = (options: ResponseCacheOptions): ResponseCache => {
  const { maxBytes, isCurrent, now = () => performance.now() } = options;
  const entries = new Map<string, Entry>();
  const tickets = new Map<string, Ticket>();
  let bytes = 0;
  /** The one that stands behind all others: what is asked for again and again need not be moved there each time. */
  let newest: Entry | undefined;

  const remove = (key: string, entry: Entry): void => {
    entries.delete(key);
    bytes -= entry.bytes;
  };

  const shrink = (): void => {
    for (const [key, entry] of entries) {
      if (bytes <= maxBytes) return;
      remove(key, entry);
    }
  };

  const grow = (key: string, entry: Entry, by: number): void => {
    entry.bytes += by;
    if (entries.get(key) !== entry) return;
    bytes += by;
    shrink();
  };

  const finish = (ticket: Ticket): void => {
    if (tickets.get(ticket.key) === ticket) tickets.delete(ticket.key);
    for (const go of ticket.waiting.splice(0)) go();
  };

  const inForm = (key: string, entry: Entry, accept: string | undefined): ReadyForm | Promise<ReadyForm> => {
    const encoding = encodingOf(accept, entry.answer.body.length);
    const ready = entry.forms.get(encoding);
    if (ready !== undefined) return ready;
    const making = compress(entry.answer.body, encoding, 'shared').then((compressed) => {
      // A copy of its very size: the compressor's own is the first part of a larger block.
      const body = Buffer.allocUnsafeSlow(compressed.length);
      compressed.copy(body);
      const form = formOf(entry.answer, encoding, body);
      entry.forms.set(encoding, form);
      grow(key, entry, body.length);
      return form;
    });
    entry.forms.set(encoding, making);
    making.catch(() => entry.forms.delete(encoding));
    return making;
  };

  const dropIf = (belongs: (scopes: readonly string[]) => boolean): void => {
    for (const [key, entry] of entries) if (belongs(entry.scopes)) remove(key, entry);
    for (const [key, ticket] of tickets) {
      if (!belongs(ticket.scopes)) continue;
      // Those who wait already asked before the change; whoever comes now must not join them.
      ticket.isValid = false;
      tickets.delete(key);
    }
  };

  const peek = (key: string): Kept | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (!isCurrent() && now() - entry.begunAt >= ALONE_MS) {
      remove(key, entry);
      return undefined;
    }
    if (entry !== newest) {
      entries.delete(key);
      entries.set(key, entry);
      newest = entry;
    }
    return { kind: 'kept', etag: entry.answer.etag, form: (accept) => inForm(key, entry, accept) };
  };

  return {
    isCurrent,
    peek,
    find: (key, scopesOf) => {
      const kept = peek(key);
      if (kept !== undefined) return kept;
      const coming = tickets.get(key);
      if (coming !== undefined) return { kind: 'coming', ticket: coming };
      const ticket: Ticket = { key, scopes: scopesOf(), waiting: [], begunAt: now(), isValid: true };
      tickets.set(key, ticket);
      return { kind: 'missing', ticket };
    },
    keep: (ticket, answer) => {
      if (ticket.isValid && answer.body.length <= maxBytes * LARGEST_SHARE) {
        const before = entries.get(ticket.key);
        if (before !== undefined) remove(ticket.key, before);
        const entry: Entry = {
          answer,
          scopes: ticket.scopes,
          begunAt: ticket.begunAt,
          forms: new Map([['identity', formOf(answer, 'identity', answer.body)]]),
          bytes: 0,
        };
        entries.set(ticket.key, entry);
        newest = entry;
        grow(ticket.key, entry, answer.body.length + OVERHEAD_BYTES);
      }
      finish(ticket);
    },
    abandon: finish,
    drop: (scopes) => dropIf((own) => own.some((scope) => scopes.has(scope))),
    dropAll: () => dropIf(() => true),
    get bytes() {
      return bytes;
    },
    get entries() {
      return entries.size;
    },
  };
};
