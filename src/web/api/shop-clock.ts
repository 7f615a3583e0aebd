// What time it is in the shop: by the reader's clock, and in a demo as far ahead of it as the shop's was moved.

let aheadMs = 0;

/** Takes what an answer says of the shop's clock. It never goes back, but answers may be overtaken. */
export const learnClock = (aheadSeconds: string | number | null): void => {
  if (aheadSeconds !== null) aheadMs = Math.max(aheadMs, Number(aheadSeconds) * 1_000);
};

/** The time to compare the end of a hold, or any other deadline, with. */
export const shopNow = (): Date => new Date(Date.now() + aheadMs);
