import { expect, test } from 'vitest';
import type { Delivery } from './outside.ts';
import { unexplainedRepeats } from './repeated-mails.ts';

const START_MS = Date.parse('2026-11-22T18:00:00Z');
const MINUTE_MS = 60_000;

/** A mail that arrived at these minutes. */
const arrivals = (messageId: string, ...minutes: number[]): Delivery[] =>
  minutes.map((minute, n) => ({
    id: `${messageId}-${n}`,
    messageId,
    recipients: ['ada@example.com'],
    receivedAt: new Date(START_MS + minute * MINUTE_MS).toISOString(),
  }));
const deathsAt = (...minutes: number[]): number[] => minutes.map((minute) => START_MS + minute * MINUTE_MS);

test('a mail that arrived once needs no death', () => {
  expect(unexplainedRepeats(arrivals('one', 0), [])).toEqual([]);
});

test('each arrival after the first needs a death of its own between it and the one before', () => {
  const thrice = arrivals('thrice', 0, 1, 2);
  expect(unexplainedRepeats(thrice, deathsAt(0.01, 1.01))).toEqual([]);
  expect(unexplainedRepeats(thrice, deathsAt(0.01))).toEqual(['thrice']);
  expect(unexplainedRepeats(thrice, deathsAt(0.01, 0.02))).toEqual(['thrice']);
  expect(unexplainedRepeats(thrice, deathsAt(2.5))).toEqual(['thrice', 'thrice']);
});

test('a death explains one mail, and of two the one that nothing later can explain', () => {
  const both = [...arrivals('long', 0, 3), ...arrivals('short', 0, 1)];
  expect(unexplainedRepeats(both, deathsAt(0.01, 2))).toEqual([]);
  expect(unexplainedRepeats(both, deathsAt(0.01))).toEqual(['long']);
});

test('a mail may be noted a moment after its sender died', () => {
  expect(unexplainedRepeats(arrivals('late', 0.05, 1.05), deathsAt(0))).toEqual([]);
});
