// npm run drill:NAME -w lab: what must hold when something goes wrong is tried; docs/operating.md says what each tries
// and quotes its verdict.
import { parseArgs } from 'node:util';
import { verdictOf, type DrillOptions, type Outcome } from '#lab/drills/drill.ts';

type Drill = (options: DrillOptions) => Promise<Outcome>;

const DRILLS: Readonly<Record<string, () => Promise<Drill>>> = {
  restart: async () => (await import('#lab/drills/restart.ts')).drillRestart,
  migration: async () => (await import('#lab/drills/migration.ts')).drillMigration,
  backup: async () => (await import('#lab/drills/backup.ts')).drillBackup,
  overload: async () => (await import('#lab/drills/overload.ts')).drillOverload,
  outage: async () => (await import('#lab/drills/outage.ts')).drillOutage,
};

const USAGE = `npm run drill:NAME -w lab -- [--short]       NAME: ${Object.keys(DRILLS).join(', ')}

Each runs shops of its own on a database of its own and ends with its verdict, and exit code 0 or 1.

  --short   a run of some seconds, as in npm test

PROVE_DATABASE_URL names a PostgreSQL to make a database of its own in; else an embedded one is used.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
});
const [name = ''] = positionals;
const open = DRILLS[name];
if (values.help || open === undefined) {
  process.stdout.write(USAGE);
  process.exit(values.help ? 0 : 1);
}
const say = (line: string): void => void process.stdout.write(`${line}\n`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
try {
  const drill = await open();
  const outcome = await drill({ say, short: values.short });
  say(verdictOf(name, outcome));
  process.exit(outcome.problems.length === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(
    `${error instanceof Error ? error.stack : String(error)}\n${error instanceof Error && error.cause instanceof Error ? `${error.cause.message}\n` : ''}`,
  );
  say(`${name.toUpperCase()} FAILED: the drill could not be finished.`);
  process.exit(2);
}
