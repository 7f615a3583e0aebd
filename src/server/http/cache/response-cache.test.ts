import { describe, expect, it } from 'vitest';
import { createResponseCache, type ResponseCache, type Ticket } from './response-cache.ts';

const put = (cache: ResponseCache, ticket: Ticket, text: string): void =>
  cache.keep(ticket, Buffer.from(text), () => ({ etag: `"${text.slice(0, 10)}"`, headers: [] }));

const aCache = (options: { maxBytes?: number } = {}) => {
  const state = { time: 0, isCurrent: true };
  const cache = createResponseCache({
    maxBytes: options.maxBytes ?? 1_000_000,
    isCurrent: () => state.isCurrent,
    now: () => state.time,
  });
  return { cache, state };
};

const ticketFor = (cache: ResponseCache, key: string, scopes = ['lists']): Ticket => {
  const found = cache.find(key, () => scopes);
  if (found.kind !== 'missing') throw new Error(`${key} is ${found.kind}`);
  return found.ticket;
};

const keep = (cache: ResponseCache, key: string, text: string, scopes?: string[]): void =>
  put(cache, ticketFor(cache, key, scopes), text);

const kindOf = (cache: ResponseCache, key: string): string => {
  const found = cache.find(key, () => ['lists']);
  if (found.kind === 'missing') cache.abandon(found.ticket);
  return found.kind;
};

describe('the cache of public answers', () => {
  it('gives leave to compute to the first only; the others wait until it is kept', () => {
    const { cache } = aCache();
    const ticket = ticketFor(cache, '/a');
    const other = cache.find('/a', () => []);
    expect(other.kind).toBe('coming');
    let went = 0;
    ticket.waiting.push(() => (went += 1));
    put(cache, ticket, 'one');
    expect([went, kindOf(cache, '/a')]).toEqual([1, 'kept']);
  });

  it('lets those who wait go on when nothing came of it', () => {
    const { cache } = aCache();
    const ticket = ticketFor(cache, '/a');
    let went = 0;
    ticket.waiting.push(() => (went += 1));
    cache.abandon(ticket);
    expect([went, kindOf(cache, '/a')]).toEqual([1, 'missing']);
  });

  it('drops what a change touches and nothing else', () => {
    const { cache } = aCache();
    keep(cache, '/a', 'a', ['category:a']);
    keep(cache, '/b', 'b', ['category:b']);
    cache.drop(new Set(['lists', 'category:a']));
    expect([kindOf(cache, '/a'), kindOf(cache, '/b')]).toEqual(['missing', 'kept']);
  });

  it('never keeps what was being computed when something changed, and nobody new waits for it', () => {
    const { cache } = aCache();
    const ticket = ticketFor(cache, '/a');
    cache.drop(new Set(['lists']));
    const next = ticketFor(cache, '/a');
    put(cache, ticket, 'old');
    expect(cache.entries).toBe(0);
    put(cache, next, 'new');
    expect(kindOf(cache, '/a')).toBe('kept');
  });

  it('keeps for one second from the computation’s beginning while it is not known what changes', () => {
    const { cache, state } = aCache();
    const ticket = ticketFor(cache, '/a');
    state.time = 600;
    put(cache, ticket, 'a');
    state.isCurrent = false;
    state.time = 999;
    expect(kindOf(cache, '/a')).toBe('kept');
    state.time = 1_000;
    expect(kindOf(cache, '/a')).toBe('missing');
  });

  it('stays within its bytes, the least recently used go first', () => {
    const { cache } = aCache({ maxBytes: 100_000 });
    for (let n = 0; n < 30; n += 1) {
      // Asked for a second time, as what has a place is.
      for (let time = 0; time < 2 && kindOf(cache, `/${n}`) === 'missing'; time += 1)
        keep(cache, `/${n}`, 'x'.repeat(5_000));
      if (n > 0) kindOf(cache, '/0');
      expect(cache.bytes).toBeLessThanOrEqual(100_000);
    }
    expect([kindOf(cache, '/0'), kindOf(cache, '/1'), kindOf(cache, '/29')]).toEqual(['kept', 'missing', 'kept']);
  });

  it('holds no memory beside the bytes it counts, as the block a body was cut from', async () => {
    const { cache } = aCache();
    const text = 'x'.repeat(5_000);
    keep(cache, '/a', text);
    const found = cache.peek('/a');
    if (found === undefined) throw new Error('it is not kept');
    for (const accept of [undefined, 'br', 'gzip']) {
      const { body } = await found.form(accept);
      expect(body.buffer.byteLength).toBe(body.length);
    }
    expect((await found.form(undefined)).body.toString()).toBe(text);
  });

  it('keeps, once it is full, only what somebody asked for before or waits for', () => {
    const { cache } = aCache({ maxBytes: 100_000 });
    const ask = (key: string): string => {
      const found = cache.find(key, () => ['lists']);
      if (found.kind === 'missing') put(cache, found.ticket, 'x'.repeat(5_000));
      return found.kind;
    };
    for (let n = 0; n < 100; n += 1) ask(`/${n}`);
    expect(['/0', '/9', '/99', '/99', '/99'].map(ask)).toEqual(['kept', 'kept', 'missing', 'kept', 'kept']);
    const ticket = ticketFor(cache, '/waited-for');
    ticket.waiting.push(() => {});
    put(cache, ticket, 'x'.repeat(5_000));
    expect(ask('/waited-for')).toBe('kept');
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
  });

  it('does not keep one answer that would push out too many', () => {
    const { cache } = aCache({ maxBytes: 100_000 });
    keep(cache, '/big', 'x'.repeat(50_000));
    expect([cache.entries, cache.bytes]).toEqual([0, 0]);
  });

  it('compresses once for all who take it so, and counts those bytes too', async () => {
    const { cache } = aCache();
    keep(cache, '/a', 'many words '.repeat(1_000));
    const before = cache.bytes;
    const found = cache.find('/a', () => []);
    if (found.kind !== 'kept') throw new Error('not kept');
    const [one, two] = await Promise.all([found.form('br'), found.form('gzip, br')]);
    expect(one).toBe(two);
    expect(one.headers).toContain('br');
    expect(cache.bytes).toBe(before + one.body.length);
    expect(await found.form('')).toMatchObject({ headers: ['content-length', '11000'] });
    cache.dropAll();
    expect([cache.entries, cache.bytes]).toEqual([0, 0]);
  });
});
