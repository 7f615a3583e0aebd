// npm run drill:cluster -w lab: puts up a cluster on loopback and breaks it while books are bought; docs/cluster.md
// says what is tried.
import { parseArgs } from 'node:util';
import { drill, Interrupted } from '#lab/cluster/drill.ts';
import { findPrograms, requirePrograms } from '#lab/cluster/needed.ts';
import { beginSeededRun } from './seeded-run.ts';

const USAGE = `npm run drill:cluster -w lab -- [--seed N] [--keep] [--careless]

Puts up three PostgreSQL nodes under Patroni with etcd, HAProxy and PgBouncer on loopback addresses, two processes of the shop
in front, and buys and reads books while the primary's machine dies, the network to a replica is cut, a node is rebuilt and the
primary is moved. Then the books of both sides are compared. Ends with its verdict, and exit code 0 or 1.

  --seed N   another draw of the lots (default 1)
  --keep     leave the folder with all logs behind
  --careless plant a mistake that must be found: commits wait for no replica
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    careless: { type: 'boolean' },
    keep: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
const { seed, say, signal } = beginSeededRun(USAGE, values);
const programs = requirePrograms(findPrograms());
if (typeof programs === 'string') {
  say(programs);
  say('NOT TRIED: programs are missing.');
  process.exit(2);
}
const began = performance.now();
try {
  const findings = await drill({
    programs,
    seed,
    say,
    signal,
    keep: values.keep === true,
    isCareless: values.careless === true,
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  for (const { rule, says } of findings) say(`VIOLATED ${rule}: ${says}`);
  say(
    findings.length === 0
      ? `HELD: nothing acknowledged was lost, no copy was sold twice, in ${seconds} s.`
      : `NOT HELD: ${findings.length} violations in ${seconds} s.`,
  );
  process.exit(findings.length === 0 ? 0 : 1);
} catch (error) {
  if (error instanceof Interrupted) {
    say('NOT TRIED: interrupted; everything that was started is ended.');
    process.exit(130);
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  say('NOT HELD: the drill could not be finished.');
  process.exit(2);
}
