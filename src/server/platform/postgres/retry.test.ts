import { expect, test } from 'vitest';
import { retryOnContention } from './retry.ts';

const failing = (code: string, times: number) => {
  let tries = 0;
  const work = async (): Promise<number> => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(code), { code });
    return tries;
  };
  return { work, tries: () => tries };
};

test('a lock that another one has, or a deadlock, is tried again, three times at most', async () => {
  expect(await retryOnContention(failing('55P03', 1).work)).toBe(2);
  expect(await retryOnContention(failing('40P01', 2).work)).toBe(3);
  const stubborn = failing('55P03', 9);
  await expect(retryOnContention(stubborn.work)).rejects.toThrow('55P03');
  expect(stubborn.tries()).toBe(3);
});

test('anything else is not: who knows what was done', async () => {
  const broken = failing('23505', 1);
  await expect(retryOnContention(broken.work)).rejects.toThrow('23505');
  expect(broken.tries()).toBe(1);
});
