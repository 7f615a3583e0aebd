import { describe, expect, it } from 'vitest';
import { ApiError, type CallErrorCode } from '#web/api/api-error.ts';
import { settlePayment, type Delay } from './settle-payment.ts';

const refusal = (status: number, code: CallErrorCode): ApiError => new ApiError({ status, code, message: code });

/** Settles with a shop that answers `answers` one by one, the last one for ever. */
const settleWith = async (...answers: (string | null | ApiError)[]) => {
  const delays: Delay[] = [];
  const pauses: number[] = [];
  let calls = 0;
  const settled = await settlePayment({
    record: async () => {
      const answer = answers[Math.min(calls, answers.length - 1)] ?? null;
      calls += 1;
      if (answer instanceof ApiError) throw answer;
      return { insertedId: answer };
    },
    onDelay: (delay) => delays.push(delay),
    pause: async (ms) => void pauses.push(ms),
  });
  return { settled, delays, pauses, calls };
};

describe('recording a payment the provider has taken', () => {
  it('is done with the first answer that has an id', async () => {
    expect(await settleWith('id')).toMatchObject({ settled: { kind: 'recorded' }, calls: 1, delays: [] });
  });

  it('asks again while the provider is at work and while the shop cannot be reached, with growing pauses', async () => {
    const { settled, delays, pauses } = await settleWith(
      null,
      refusal(0, 'offline'),
      refusal(503, 'unavailable'),
      refusal(429, 'too_many'),
      'id',
    );
    expect(settled).toEqual({ kind: 'recorded' });
    expect(delays).toEqual(['processing', 'unreachable', 'unreachable', 'unreachable']);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(new Set(pauses).size).toBe(pauses.length);
  });

  it('gives the question back after a while, saying what the delay is', async () => {
    expect(await settleWith(null)).toMatchObject({ settled: { kind: 'delayed', delay: 'processing' }, calls: 6 });
    expect((await settleWith(refusal(0, 'timeout'))).settled).toEqual({ kind: 'delayed', delay: 'unreachable' });
  });

  it('does not repeat what the shop refused', async () => {
    const refused = refusal(409, 'not_paid');
    expect(await settleWith(refused, 'id')).toMatchObject({ settled: { kind: 'refused', error: refused }, calls: 1 });
  });
});
