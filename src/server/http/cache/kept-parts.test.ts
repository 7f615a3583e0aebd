import { describe, expect, it } from 'vitest';
import { keepPartsIn } from './kept-parts.ts';
import { createResponseCache } from './response-cache.ts';

const aPlace = () => {
  const news = { isCurrent: true };
  const cache = createResponseCache({ maxBytes: 1_000_000, isCurrent: () => news.isCurrent });
  const keep = keepPartsIn(cache, 'counts', ['lists']);
  const state = { made: 0 };
  const count = async (): Promise<string> => {
    state.made += 1;
    return `count ${state.made}`;
  };
  return { cache, keep, count, news };
};

describe('parts that many answers share', () => {
  it('are made once, however many ask at once and afterwards', async () => {
    const { keep, count } = aPlace();
    const asked = await Promise.all(Array.from({ length: 5 }, () => keep('dune', count)));
    expect([...asked, await keep('dune', count)]).toEqual(Array.from({ length: 6 }, () => 'count 1'));
    expect(await keep('emma', count)).toBe('count 2');
  });

  it('are made anew once what they are about has changed', async () => {
    const { cache, keep, count } = aPlace();
    await keep('dune', count);
    cache.drop(new Set(['category:other']));
    expect(await keep('dune', count)).toBe('count 1');
    cache.drop(new Set(['lists']));
    expect(await keep('dune', count)).toBe('count 2');
  });

  it('that changed while they were made are kept for nobody', async () => {
    const { cache, keep, count } = aPlace();
    const { promise, resolve } = Promise.withResolvers<string>();
    const [maker, waiting] = [keep('dune', () => promise), keep('dune', count)];
    cache.drop(new Set(['lists']));
    // Whoever comes after the change waits for nothing that began before it.
    expect(await keep('dune', count)).toBe('count 1');
    resolve('of before');
    expect([await maker, await waiting, await keep('dune', count)]).toEqual(['of before', 'count 1', 'count 1']);
  });

  it('that could not be made are tried again by those who wait', async () => {
    const { keep, count } = aPlace();
    const broken = keep('dune', () => Promise.reject(new Error('no database')));
    const waiting = keep('dune', count);
    await expect(broken).rejects.toThrow('no database');
    expect([await waiting, await keep('dune', count)]).toEqual(['count 1', 'count 1']);
  });

  it('are made each time while nobody tells what changes', async () => {
    const { keep, count, news } = aPlace();
    await keep('dune', count);
    news.isCurrent = false;
    expect([await keep('dune', count), await keep('dune', count)]).toEqual(['count 2', 'count 3']);
  });

  it('are no answers, whatever an address is', async () => {
    const { cache, keep, count } = aPlace();
    await keep('dune', count);
    expect(cache.find('counts dune', () => []).kind).toBe('kept');
    expect(cache.find('/counts dune', () => []).kind).toBe('missing');
  });
});
