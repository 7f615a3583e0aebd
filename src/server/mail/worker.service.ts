import { repeat } from '#server/platform/repeat.ts';
import { deliverDueMail, type DeadMail, type DeliveryDeps } from './delivery.service.ts';

/** A mail leaves within about this of the commit that caused it. */
const PAUSE_MS = 1_000;
/** A mail that is on its way when the shop closes has this long to arrive; whether a later one did is not known. */
const CLOSING_LIMIT_MS = 10_000;

/** Sends what the outbox holds, and what comes, until stopped. */
export const startMailWorker = (
  deps: DeliveryDeps,
  tell: { onDead: (mail: DeadMail) => void; onError: (error: unknown) => void },
): { stop: () => Promise<void> } => {
  const closing = new AbortController();
  const cutOff = new AbortController();
  const signals = { closing: closing.signal, cutOff: cutOff.signal };
  const rounds = repeat(() => deliverDueMail(deps, signals, tell.onDead), PAUSE_MS, tell.onError);
  return {
    stop: async () => {
      closing.abort();
      const limit = setTimeout(() => cutOff.abort(), CLOSING_LIMIT_MS);
      await rounds.stop().finally(() => clearTimeout(limit));
    },
  };
};
