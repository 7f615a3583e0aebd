import fc from 'fast-check';

/**
 * Properties meet the same cases in each run, so that a run that fails is the change's own fault and fails again. Other
 * cases are looked for on purpose: `TEST_SEED=random npm test`, or a number.
 */
const given = process.env['TEST_SEED'] ?? '20261124';

if (given !== 'random') fc.configureGlobal({ seed: Number(given) });
