import { ApiError } from '#web/api/api-error.ts';

/** Pauses between attempts, growing; together about half a minute, after which the person is asked. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Why a payment that the provider took is not yet written down in the shop. */
export type Delay = 'processing' | 'unreachable';

export type Settled =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'delayed'; readonly delay: Delay }
  | { readonly kind: 'refused'; readonly error: unknown };

interface Steps {
  /** Tells the shop of the payment; `insertedId` is null while the provider is still at work. */
  readonly record: () => Promise<{ insertedId: string | null }>;
  /** Told of every delay, so that the person is not left wondering. */
  readonly onDelay: (delay: Delay) => void;
  readonly pause: (ms: number) => Promise<void>;
}

/** No answer, or one that says "later": asking again may help, and telling the shop twice is harmless. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

const attempt = async (record: Steps['record']): Promise<Settled> => {
  try {
    const { insertedId } = await record();
    return insertedId === null ? { kind: 'delayed', delay: 'processing' } : { kind: 'recorded' };
  } catch (error) {
    return isPassing(error) ? { kind: 'delayed', delay: 'unreachable' } : { kind: 'refused', error };
  }
};

/**
 * Has the shop record a payment the provider has taken, trying again for about half a minute. The money is safe
 * whatever comes of it: the provider tells the shop too.
 */
export const settlePayment = async ({ record, onDelay, pause }: Steps): Promise<Settled> => {
  let settled = await attempt(record);
  for (const ms of PAUSES_MS) {
    if (settled.kind !== 'delayed') return settled;
    onDelay(settled.delay);
    await pause(ms);
    settled = await attempt(record);
  }
  return settled;
};
