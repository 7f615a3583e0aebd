/** A stretch without any success. */
export interface Gap {
  /** Since the clock began. */
  readonly fromMs: number;
  readonly ms: number;
}

/** The longest stretch without a success between two moments, both ends included. `times` may be in any order. */
export const longestGap = (times: readonly number[], fromMs: number, toMs: number): Gap => {
  const inside = times.filter((time) => time > fromMs && time < toMs).toSorted((a, b) => a - b);
  let longest: Gap = { fromMs, ms: 0 };
  let last = fromMs;
  for (const time of [...inside, toMs]) {
    if (time - last > longest.ms) longest = { fromMs: last, ms: time - last };
    last = time;
  }
  return longest;
};
