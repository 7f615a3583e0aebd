// Places where a test ends this process as `kill -9` would: between two steps that a crash may part.

interface Plan {
  readonly at: string;
  hitsLeft: number;
}

const planOf = (env: Readonly<Record<string, string | undefined>>): Plan | undefined => {
  // A shop that is in production is never ended by a variable that somebody left behind.
  if (env['DOGEAR_MODE'] === 'production') return undefined;
  const found = /^([a-z-]+)(?::([1-9]\d*))?$/.exec(env['DOGEAR_CRASH_AT'] ?? '');
  return found?.[1] === undefined ? undefined : { at: found[1], hitsLeft: Number(found[2] ?? 1) };
};

const plan = planOf(process.env);

/**
 * Ends the process here when DOGEAR_CRASH_AT names this point (`name`, or `name:3` for the third time it is passed).
 */
export const crashPoint = (name: string): void => {
  if (plan?.at !== name) return;
  plan.hitsLeft -= 1;
  if (plan.hitsLeft === 0) process.kill(process.pid, 'SIGKILL');
};
