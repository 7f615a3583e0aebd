// How a run that draws lots begins: what the proof and the drill of a cluster share.

export interface SeededRun {
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Aborted by Ctrl-C and its kin. */
  readonly signal: AbortSignal;
}

/** Reads what was typed; ends the process where that asks for help, or names no seed. */
export const beginSeededRun = (
  usage: string,
  typed: { readonly help?: boolean | undefined; readonly seed?: string | undefined },
): SeededRun => {
  if (typed.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const seed = Number(typed.seed ?? 1);
  if (!Number.isInteger(seed) || seed < 0) {
    process.stderr.write(`"${typed.seed}" is no seed: give a whole number.\n`);
    process.exit(1);
  }
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort());
  return { seed, say: (line) => void process.stdout.write(`${line}\n`), signal: interruption.signal };
};
