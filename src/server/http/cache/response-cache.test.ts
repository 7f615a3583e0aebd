import { describe, expect, it } from 'vitest';
import { cachedPart, createResponseCache, type ResponseCache } from './response-cache.ts';

const aCache = (options: { maxBytes?: number; readsReplicas?: boolean } = {}) => {
  const state = { time: 0, isCurrent: true };
  const cache = createResponseCache({
    maxBytes: 1_000_000,
    ...options,
    isCurrent: () => state.isCurrent,
    now: () => state.time,
  });
  return { cache, state };
};

const put = (cache: ResponseCache, key: string, body: string, tags = ['lists']): Promise<unknown> =>
  cache.compute(key, tags, async () => ({ body }));

/** A computation that ends when it is told to. */
const begin = (cache: ResponseCache, key: string, tags = ['lists']) => {
  const { promise, resolve, reject } = Promise.withResolvers<{ body: string } | undefined>();
  const done = cache.compute(key, tags, () => promise);
  const ended = done.catch(() => undefined);
  const end = (body: string | undefined): Promise<unknown> => {
    resolve(body === undefined ? undefined : { body });
    return ended;
  };
  return { end, reject, done };
};

const bodyOf = (cache: ResponseCache, key: string): unknown => cache.get<{ body: string }>(key)?.body;

describe('the cache of public answers', () => {
  it('lets whoever asks meanwhile join the first, whatever comes of it', async () => {
    const { cache } = aCache();
    const one = begin(cache, '/a');
    const joined = cache.join('/a');
    await one.end('one');
    expect([await joined, bodyOf(cache, '/a'), cache.join('/a')]).toEqual([{ body: 'one' }, 'one', undefined]);
    const nothing = begin(cache, '/b');
    const waiting = cache.join('/b');
    await nothing.end(undefined);
    expect([await waiting, bodyOf(cache, '/b')]).toEqual([undefined, undefined]);
    const broken = begin(cache, '/c');
    const disappointed = cache.join('/c');
    broken.reject(new Error('no database'));
    await expect(broken.done).rejects.toThrow('no database');
    expect([await disappointed, cache.join('/c')]).toEqual([undefined, undefined]);
  });

  it('invalidates what a change touches and nothing else', async () => {
    const { cache } = aCache();
    await put(cache, '/a', 'a', ['category:a']);
    await put(cache, '/b', 'b', ['category:b']);
    cache.invalidate(new Set(['lists', 'category:a']));
    expect([bodyOf(cache, '/a'), bodyOf(cache, '/b')]).toEqual([undefined, 'b']);
    cache.invalidate();
    expect([bodyOf(cache, '/b'), cache.entries(), cache.bytes()]).toEqual([undefined, 0, 0]);
    await put(cache, '/b', 'new', ['category:b']);
    expect(bodyOf(cache, '/b')).toBe('new');
  });

  it.each([[new Set(['lists'])], [undefined]])(
    'never caches what was being computed when something changed, and nobody new waits for it (%s)',
    async (tags) => {
      const { cache } = aCache();
      const old = begin(cache, '/a');
      const early = cache.join('/a');
      cache.invalidate(tags);
      expect(cache.join('/a')).toBeUndefined();
      const next = begin(cache, '/a');
      await old.end('old');
      expect([await early, bodyOf(cache, '/a')]).toEqual([{ body: 'old' }, undefined]);
      await next.end('new');
      expect(bodyOf(cache, '/a')).toBe('new');
    },
  );

  it('remembers so many changes and then forgets all it has', async () => {
    const { cache } = aCache();
    await put(cache, '/a', 'a', ['category:a']);
    for (let n = 0; n < 10_000; n += 1) cache.invalidate(new Set([`listing:${n}`]));
    expect(bodyOf(cache, '/a')).toBe('a');
    cache.invalidate(new Set(['listing:last']));
    expect(bodyOf(cache, '/a')).toBeUndefined();
  });

  it('caches for one second from the computation’s beginning while it is not known what changes', async () => {
    const { cache, state } = aCache();
    const one = begin(cache, '/a');
    state.time = 600;
    await one.end('a');
    state.isCurrent = false;
    state.time = 999;
    expect(bodyOf(cache, '/a')).toBe('a');
    state.time = 1_000;
    expect(bodyOf(cache, '/a')).toBeUndefined();
  });

  it('caches for one second where a replica may have answered', async () => {
    const { cache, state } = aCache({ readsReplicas: true });
    await put(cache, '/a', 'a');
    state.time = 999;
    expect(bodyOf(cache, '/a')).toBe('a');
    state.time = 1_000;
    expect(bodyOf(cache, '/a')).toBeUndefined();
  });

  it('stays within its bytes, the least recently used go first, and one is not worth too many others', async () => {
    const { cache } = aCache({ maxBytes: 160_000 });
    for (let n = 0; n < 50; n += 1) {
      await put(cache, `/${n}`, 'x'.repeat(5_000));
      bodyOf(cache, '/0');
      expect(cache.bytes()).toBeLessThanOrEqual(160_000);
    }
    expect(['/0', '/1', '/49'].map((key) => bodyOf(cache, key) !== undefined)).toEqual([true, false, true]);
    const before = cache.entries();
    await put(cache, '/big', 'x'.repeat(20_000));
    expect([bodyOf(cache, '/big'), cache.entries()]).toEqual([undefined, before]);
  });
});

describe('parts that many answers share', () => {
  const aPlace = () => {
    const { cache, state } = aCache();
    let computed = 0;
    const part = (key: string, work?: () => Promise<string>, isForAll = true): Promise<string> => {
      const body = work ?? (async () => `count ${(computed += 1)}`);
      return cachedPart(
        cache,
        `counts ${key}`,
        ['lists'],
        async () => ({ body: await body() }),
        () => isForAll,
      ).then((value) => value.body);
    };
    return { cache, state, part };
  };

  it('are computed once, however many ask at once and afterwards', async () => {
    const { part } = aPlace();
    const asked = await Promise.all(Array.from({ length: 5 }, () => part('dune')));
    expect([...asked, await part('dune'), await part('emma')]).toEqual([...Array(6).fill('count 1'), 'count 2']);
  });

  it('are computed anew once what they are about has changed', async () => {
    const { cache, part } = aPlace();
    await part('dune');
    cache.invalidate(new Set(['category:other']));
    expect(await part('dune')).toBe('count 1');
    cache.invalidate(new Set(['lists']));
    expect(await part('dune')).toBe('count 2');
  });

  it('that failed, or were for one alone, are computed by those who waited', async () => {
    const { part } = aPlace();
    const broken = part('dune', () => Promise.reject(new Error('no database')));
    const waiting = part('dune');
    await expect(broken).rejects.toThrow('no database');
    expect(await waiting).toBe('count 1');
    const [own, others] = [part('emma', async () => 'refused', false), part('emma')];
    expect([await own, await others]).toEqual(['refused', 'count 2']);
  });

  it('are computed each time while nobody says what changes', async () => {
    const { part, state } = aPlace();
    await part('dune');
    state.isCurrent = false;
    expect([await part('dune'), await part('dune')]).toEqual(['count 2', 'count 3']);
  });
});
