// npm run bench:soak -w lab: the shop under steady visits and purchases for half an hour; nothing may grow, wait or
// differ. docs/operating.md has the verdict.
import { drillSoak } from '#lab/drills/soak.ts';
import { verdictOf } from '#lab/drills/drill.ts';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 1_440)) {
  console.error(`"${values.minutes}" is no number of minutes: give one up to 1440.`);
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
const outcome = await drillSoak({ say: console.log, minutes });
console.log(verdictOf('soak', outcome));
process.exit(outcome.problems.length === 0 ? 0 : 1);
