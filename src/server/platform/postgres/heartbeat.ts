import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';

/** Without an answer for so long it is taken for away. */
export const SILENCE_MS = 700;

/** An outage, by the database's own code. */
export const outage = (why: string): Error => Object.assign(new Error(why), { code: '08006' });

const silence = async (): Promise<never> => {
  await sleep(SILENCE_MS, undefined, { ref: false });
  // Where this process itself was late, the answer may be here and only not be read yet.
  await nextRound();
  throw outage(`no answer within ${SILENCE_MS} ms`);
};

/** The answer, or an outage when it is not there in time. */
export const withoutSilence = <A>(answer: Promise<A>): Promise<A> => Promise.race([answer, silence()]);
