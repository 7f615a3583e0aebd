import { LRUCache } from 'lru-cache';
import { compress, encodingOf, type Encoding } from '#server/http/pages/compress.ts';

/** Without news of what changes, an answer is kept this long. */
const ALONE_MS = 1_000;
/** What an entry costs beside its bytes: its headers, tag, address and scopes. */
const OVERHEAD_BYTES = 2_000;
/** Room for the addresses that were asked for lately, in characters: more of them than are kept at once. */
const REMEMBERED_CHARACTERS = 1_000_000;
/** A single answer beyond this share of the cache would push out too many others. */
const LARGEST_SHARE = 1 / 16;

/** What is sent before the body of a public answer. */
export interface AnswerHead {
  readonly etag: string;
  /** Names in lower case and values in turn; everything but length and encoding. */
  readonly headers: readonly string[];
}

/** A public answer as it is sent to everyone. */
export interface PublicAnswer extends AnswerHead {
  readonly body: Buffer;
}

/** One form of a kept answer, ready for `writeHead`. */
export interface ReadyForm {
  readonly headers: string[];
  readonly body: Buffer;
}

interface Entry {
  readonly etag: string;
  readonly identity: ReadyForm;
  readonly scopes: readonly string[];
  readonly begunAt: number;
  /** Made when somebody takes them. */
  readonly compressed: Map<Encoding, ReadyForm | Promise<ReadyForm>>;
  readonly bytes: number;
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
  /**
   * Keeps an answer, unless something changed since its ticket was given, or the cache is full and nobody else asked for it lately;
   * lets those who wait go on either way. `headOf` is asked for what is kept only.
   */
  keep(ticket: Ticket, body: Buffer, headOf: () => AnswerHead): void;
  /** Ends a ticket without an answer. */
  abandon(ticket: Ticket): void;
  /** Drops what belongs to one of the scopes, and what is being computed of it. */
  drop(scopes: ReadonlySet<string>): void;
  dropAll(): void;
  readonly bytes: number;
  readonly entries: number;
}

/** A body in memory of its very size: one cut from a larger block (Node's pool, a compressor's output) would keep all of that block. */
const alone = (body: Buffer): Buffer => {
  if (body.buffer.byteLength === body.length) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
};

const lengthOf = (body: Buffer): [string, string] => ['content-length', String(body.length)];

/** Another form of an answer; the length is the last of its headers. */
const inEncoding = ({ headers }: ReadyForm, encoding: Encoding, body: Buffer): ReadyForm => ({
  headers: [...headers.slice(0, -2), 'content-encoding', encoding, ...lengthOf(body)],
  body,
});

/**
 * Public answers by address, bounded in bytes. Once they are full the least recently used go, and only for what is asked for a second time:
 * whoever walks through addresses that nobody else wants pushes nothing out. Each is computed once however many ask for it;
 * one whose computation began before a change is never kept. While it is not known what changes, an entry lives for a second.
 */
export const createResponseCache = (options: ResponseCacheOptions): ResponseCache => {
  const { maxBytes, isCurrent, now = () => performance.now() } = options;
  /** The keys of the entries by scope: a change is looked for among those it touches. */
  const keysOf = new Map<string, Set<string>>();
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: (entry) => entry.bytes,
    // Also before a larger form of the same takes its place.
    dispose: ({ scopes }, key) => {
      for (const scope of scopes) {
        const keys = keysOf.get(scope);
        keys?.delete(key);
        if (keys?.size === 0) keysOf.delete(scope);
      }
    },
    onInsert: ({ scopes }, key) => {
      for (const scope of scopes) keysOf.set(scope, (keysOf.get(scope) ?? new Set()).add(key));
    },
  });
  const tickets = new Map<string, Ticket>();
  const askedFor = new LRUCache<string, true>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: (_true, key) => key.length + 1,
  });

  const finish = (ticket: Ticket): void => {
    if (tickets.get(ticket.key) === ticket) tickets.delete(ticket.key);
    for (const go of ticket.waiting.splice(0)) go();
  };

  const inForm = (key: string, entry: Entry, accept: string | undefined): ReadyForm | Promise<ReadyForm> => {
    const { identity, compressed } = entry;
    const encoding = encodingOf(accept, identity.body.length);
    if (encoding === 'identity') return identity;
    const ready = compressed.get(encoding);
    if (ready !== undefined) return ready;
    const making = compress(identity.body, encoding, 'shared').then((packed) => {
      const form = inEncoding(identity, encoding, alone(packed));
      compressed.set(encoding, form);
      const current = entries.peek(key);
      // It may have been dropped meanwhile, or another be there.
      if (current?.compressed === compressed) entries.set(key, { ...current, bytes: current.bytes + form.body.length });
      return form;
    });
    compressed.set(encoding, making);
    making.catch(() => compressed.delete(encoding));
    return making;
  };

  /** What is being computed of what changed. */
  const outdate = (belongs: (scopes: readonly string[]) => boolean): void => {
    for (const [key, ticket] of tickets) {
      if (!belongs(ticket.scopes)) continue;
      // Those who wait already asked before the change; whoever comes now must not join them.
      ticket.isValid = false;
      tickets.delete(key);
    }
  };

  /** Room goes to everyone until there is hardly any; then to what more than one ask for. */
  const mayEnter = ({ key, waiting }: Ticket): boolean => {
    const isKnown = askedFor.has(key);
    askedFor.set(key, true);
    return isKnown || waiting.length > 0 || entries.calculatedSize <= maxBytes * (1 - LARGEST_SHARE);
  };

  const peek = (key: string): Kept | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (!isCurrent() && now() - entry.begunAt >= ALONE_MS) {
      entries.delete(key);
      return undefined;
    }
    return { kind: 'kept', etag: entry.etag, form: (accept) => inForm(key, entry, accept) };
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
    keep: (ticket, body, headOf) => {
      if (ticket.isValid && body.length <= maxBytes * LARGEST_SHARE && mayEnter(ticket)) {
        const { etag, headers } = headOf();
        entries.set(ticket.key, {
          etag,
          identity: { headers: [...headers, ...lengthOf(body)], body: alone(body) },
          scopes: ticket.scopes,
          begunAt: ticket.begunAt,
          compressed: new Map(),
          bytes: body.length + OVERHEAD_BYTES,
        });
      }
      finish(ticket);
    },
    abandon: finish,
    drop: (scopes) => {
      for (const scope of scopes) for (const key of keysOf.get(scope) ?? []) entries.delete(key);
      outdate((own) => own.some((scope) => scopes.has(scope)));
    },
    dropAll: () => {
      entries.clear();
      outdate(() => true);
    },
    get bytes() {
      return entries.calculatedSize;
    },
    get entries() {
      return entries.size;
    },
  };
};
