// npm run prove -w lab: puts the shop to the proof; lab/docs/proof.md says what is proven and how to read what it
// prints.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Interrupted, prove } from '#lab/proofs/prove.ts';
import { FULL, MEDIUM, SHORT } from '#lab/proofs/sizes.ts';
import { beginSeededRun } from './seeded-run.ts';

const USAGE = `npm run prove -w lab -- [--short | --medium] [--seed N] [--history FILE]

Runs the shop as two processes on one database, with the payment stand-in as a third, lets a crowd book and buy, kills the
shop and its database all the while, and then compares the books of both sides. Ends with its verdict, and exit code 0 or 1.

  --short         a small run of some seconds, as in npm test
  --medium        a fifth of everything, with each crash point visited
  --seed N        another draw of the lots (default 1)
  --history FILE  keep the log of what each client did and was told
  --tree FOLDER   put the server of another copy of this project to the proof

PROVE_DATABASE_URL names a PostgreSQL to make a database of its own in; it is then not killed. Else an embedded one is.
`;

const { values } = parseArgs({
  options: {
    short: { type: 'boolean' },
    medium: { type: 'boolean' },
    seed: { type: 'string' },
    history: { type: 'string' },
    tree: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const { seed, say, signal } = beginSeededRun(USAGE, values);
const size = values.short ? SHORT : values.medium ? MEDIUM : FULL;
say(`The ${size.name} proof, seed ${seed}.`);
try {
  const { findings, seconds } = await prove({
    tree: path.resolve(values.tree ?? path.join(import.meta.dirname, '..')),
    size,
    seed,
    say,
    signal,
    historyFile: values.history === undefined ? undefined : path.resolve(values.history),
  });
  for (const { rule, says } of findings) say(`VIOLATED ${rule}: ${says}`);
  say(
    findings.length === 0
      ? `PROVED: nothing was violated in ${seconds.toFixed(0)} s.`
      : `NOT PROVED: ${findings.length} violations in ${seconds.toFixed(0)} s (seed ${seed}; --history keeps the clients' log).`,
  );
  process.exit(findings.length === 0 ? 0 : 1);
} catch (error) {
  if (error instanceof Interrupted) process.exit(130);
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  say('NOT PROVED: the run could not be finished.');
  process.exit(2);
}
