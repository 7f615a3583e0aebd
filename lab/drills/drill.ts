/** How a drill ended: what it shows in one line, and what went against it. */
export interface Outcome {
  /** What was done and measured, for the verdict. */
  readonly shown: string;
  /** What must not have happened; none where the drill was passed. */
  readonly problems: readonly string[];
}

/** Tells a person what goes on. */
export type Say = (line: string) => void;

export interface DrillOptions {
  readonly say: Say;
  /** A run of some seconds, as in npm test. */
  readonly short: boolean;
}

/** The last line of a drill, and whether it was passed. */
export const verdictOf = (name: string, { shown, problems }: Outcome): string =>
  problems.length === 0
    ? `${name.toUpperCase()} PASSED: ${shown}`
    : `${name.toUpperCase()} FAILED: ${shown} ${problems.join(' ')}`;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `isTrue`; false when it has not become so within `limitMs`. */
export const until = async (
  isTrue: () => boolean | Promise<boolean>,
  limitMs: number,
  lookMs = 50,
): Promise<boolean> => {
  const deadline = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) return false;
    await sleep(lookMs);
  }
  return true;
};
