import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Registry } from 'prom-client';
import { createBreaker, measureBreakers, CircuitOpen } from './breaker.ts';

class Unwell extends Error {}
const PAUSE_MS = 100;

const openBreaker = (dependency: string) =>
  createBreaker({ dependency, isFailure: (error) => error instanceof Unwell, pauseMs: PAUSE_MS });
const unwell = async (): Promise<never> => {
  throw new Unwell('500');
};
const stateOf = async (dependency: string): Promise<number | undefined> => {
  const registry = new Registry();
  measureBreakers(registry);
  const text = await registry.metrics();
  const [, state] = new RegExp(`^dogear_breaker_open\\{dependency="${dependency}"\\} (.+)$`, 'm').exec(text) ?? [];
  return state === undefined ? undefined : Number(state);
};

// The pause is waited for by clocks of the test's own: it neither ends early nor while the machine is busy.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('five failures in a row, and the service is not asked; after a pause one call tries, and all go on', async () => {
  const breaker = openBreaker('row');
  for (let n = 0; n < 5; n += 1) await expect(breaker.call(unwell)).rejects.toThrow(Unwell);
  let asked = 0;
  const well = async (): Promise<string> => {
    asked += 1;
    return 'well';
  };
  await expect(breaker.call(well)).rejects.toThrow(CircuitOpen);
  expect([asked, breaker.isOpen(), await stateOf('row')]).toEqual([0, true, 1]);
  vi.advanceTimersByTime(PAUSE_MS);
  // Somebody has to try: it is not open for the next caller.
  expect(breaker.isOpen()).toBe(false);
  await expect(breaker.call(unwell)).rejects.toThrow(Unwell);
  await expect(breaker.call(well)).rejects.toThrow(CircuitOpen);
  vi.advanceTimersByTime(PAUSE_MS);
  expect(await breaker.call(well)).toBe('well');
  expect(await breaker.call(well)).toBe('well');
  expect([asked, breaker.isOpen(), await stateOf('row')]).toEqual([2, false, 0]);
});

test('what the service answers is no failure, and a success in between begins the count anew', async () => {
  const breaker = openBreaker('between');
  const refused = async (): Promise<never> => {
    throw new Error('402');
  };
  for (let n = 0; n < 20; n += 1) await expect(breaker.call(refused)).rejects.toThrow('402');
  for (let n = 0; n < 4; n += 1) await expect(breaker.call(unwell)).rejects.toThrow(Unwell);
  await breaker.call(async () => {});
  for (let n = 0; n < 4; n += 1) await expect(breaker.call(unwell)).rejects.toThrow(Unwell);
  expect(breaker.isOpen()).toBe(false);
});
