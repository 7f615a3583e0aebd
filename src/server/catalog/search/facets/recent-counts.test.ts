import { expect, test } from 'vitest';
import { recentCounts } from './recent-counts.ts';

test('what many ask for at once is counted once, and anew after two seconds', async () => {
  let now = 1;
  const counts = recentCounts({ now: () => now });
  let counted = 0;
  const ask = (key: string) => counts(key, async () => `${key} ${(counted += 1)}`);
  expect(await Promise.all([ask('dune'), ask('dune'), ask('emma')])).toEqual(['dune 1', 'dune 1', 'emma 2']);
  now += 1_900;
  expect(await ask('dune')).toBe('dune 1');
  now += 200;
  expect(await ask('dune')).toBe('dune 3');
});

test('a count that fails is told to who asked, and not kept', async () => {
  const counts = recentCounts();
  const failing = () => Promise.reject(new Error('the database is away'));
  await expect(counts('dune', failing)).rejects.toThrow('the database is away');
  expect(await counts('dune', async () => 'found')).toBe('found');
});
