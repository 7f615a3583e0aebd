import { expect, test, vi } from 'vitest';
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

test('with a limit nobody waits for longer, and who comes after is not kept by who left', async () => {
  vi.useFakeTimers();
  try {
    const turns = fewAtOnce(1, { ms: 1_000, error: () => new Error('too late') });
    const gate = Promise.withResolvers<string>();
    const [first, second] = [turns.take(() => gate.promise), turns.take(async () => 'never')];
    const refused = expect(second).rejects.toThrow('too late');
    await vi.advanceTimersByTimeAsync(600);
    const third = turns.take(async () => 'third');
    await vi.advanceTimersByTimeAsync(500);
    await refused;
    expect(turns.waiting()).toBe(1);
    gate.resolve('first');
    expect(await Promise.all([first, third])).toEqual(['first', 'third']);
    expect(turns.waiting()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
