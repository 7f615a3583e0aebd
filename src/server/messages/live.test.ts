import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLive } from './live.ts';

const LATER = new Date(Date.now() + 600_000);
const [BUYER, SELLER, THREAD] = [randomUUID(), randomUUID(), randomUUID()];

/** What a stream has said so far, and whether it is over. */
const heard = (stream: NodeJS.ReadableStream) => {
  const state = { text: '', isOver: false };
  stream.on('data', (chunk: Buffer) => (state.text += String(chunk)));
  stream.on('end', () => (state.isOver = true));
  return state;
};
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

test('both sides of a thread hear of it, and nobody else', async () => {
  const live = createLive();
  const [buyer, seller, other] = [BUYER, SELLER, randomUUID()].map((userId) =>
    heard(live.watch({ userId, sessionId: userId }, LATER)),
  );
  live.tell(`${THREAD} ${BUYER} ${SELLER}`);
  await settle();
  expect(buyer?.text).toBe(`{}\n{"thread":"${THREAD}"}\n`);
  expect(seller?.text).toBe(buyer?.text);
  expect(other?.text).toBe('{}\n');
  live.tellAll();
  await settle();
  expect(other?.text).toBe('{}\n{}\n');
  live.end();
});

test('a session has two streams at most: the oldest ends', async () => {
  const live = createLive();
  const streams = [1, 2, 3].map(() => heard(live.watch({ userId: BUYER, sessionId: 'one' }, LATER)));
  const elsewhere = heard(live.watch({ userId: BUYER, sessionId: 'two' }, LATER));
  await settle();
  expect(streams.map(({ isOver }) => isOver)).toEqual([true, false, false]);
  live.tell(`${THREAD} ${BUYER} ${SELLER}`);
  await settle();
  expect(streams.map(({ text }) => text.includes(THREAD))).toEqual([false, true, true]);
  expect(elsewhere.text).toContain(THREAD);
  live.end();
});

test('all end when the process stops, those that come then at once', async () => {
  const live = createLive();
  const before = heard(live.watch({ userId: BUYER, sessionId: 'one' }, LATER));
  live.end();
  const after = heard(live.watch({ userId: BUYER, sessionId: 'one' }, LATER));
  await settle();
  expect([before.isOver, after.isOver]).toEqual([true, true]);
});

test('one who went away is told nothing more', async () => {
  const live = createLive();
  const stream = live.watch({ userId: BUYER, sessionId: 'one' }, LATER);
  stream.destroy();
  await settle();
  expect(() => live.tell(`${THREAD} ${BUYER} ${SELLER}`)).not.toThrow();
  live.end();
});
