/** A small file of the shop that every release has. */
const PROBE = '/favicon.svg';
const TIMEOUT_MS = 5_000;

/** Whether the shop can be reached now; never throws. */
export const isShopReachable = async (): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return (await fetch(PROBE, { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
};
