import { setTimeout as sleep } from 'node:timers/promises';
import type { Background } from './background.ts';

/**
 * `quick`: connections on which nobody asks anything are closed at once, as for Ctrl-C. `patient`: after a while, because a
 * request may be on its way there, as for a process whose place another one takes.
 */
export type ClosingManner = 'quick' | 'patient';

/** How long idle connections are left open, in ms: proxies and browsers that are busy at all ask within the patient one. */
export const LINGER_MS: Readonly<Record<ClosingManner, number>> = { quick: 0, patient: 5_000 };

/** What the shop does by itself may be broken off: whoever opens the shop next goes on with it. */
const BACKGROUND_LIMIT_MS = 10_000;

/** Ends what the shop does by itself, or stops waiting for it (R1). */
export const stopBackground = async (background: Background): Promise<void> => {
  const limit = new AbortController();
  await Promise.race([
    Promise.all([background.stop(), background.stopMail()]),
    sleep(BACKGROUND_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => {}),
  ]);
  limit.abort();
};
