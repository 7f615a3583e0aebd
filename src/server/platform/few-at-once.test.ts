import { expect, test } from 'vitest';
import { fewAtOnce } from './few-at-once.ts';

test('a few run at once, the others in the order in which they came, whatever became of those before', async () => {
  const turns = fewAtOnce(2);
  const events: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const run = (name: string): Promise<unknown> => {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    const work = async (): Promise<string> => {
      events.push(`${name} begins`);
      await gate.promise;
      return name;
    };
    return turns.take(work).catch(() => `${name} failed`);
  };
  const all = ['a', 'b', 'c', 'd'].map(run);
  await Promise.resolve();
  expect([events, turns.waiting()]).toEqual([['a begins', 'b begins'], 2]);
  gates.get('b')?.reject(new Error('broken'));
  expect(await all[1]).toBe('b failed');
  const late = run('e');
  await Promise.resolve();
  expect(events).toEqual(['a begins', 'b begins', 'c begins']);
  for (const name of ['a', 'c', 'd', 'e']) gates.get(name)?.resolve();
  expect(await Promise.all([...all, late])).toEqual(['a', 'b failed', 'c', 'd', 'e']);
  expect(events.slice(3)).toEqual(['d begins', 'e begins']);
});
