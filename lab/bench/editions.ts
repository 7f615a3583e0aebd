// npm run bench:editions -w lab: how fast generated dumps become the table of editions; writes lab/docs/editions.md.
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { formatMarkdown } from '#scripts/docs/markdown.ts';
import { formatCount } from '#contract/count.ts';
import { startChild } from '#lab/proofs/child.ts';
import { withRoles } from '#scripts/database/access.ts';
import type { DatabaseRoles } from '#server/platform/postgres/migrate.ts';
import { rowsOf, writeDumps } from './editions/generated-dumps.ts';

const root = path.join(import.meta.dirname, '../..');
const PAGE = path.join(root, 'lab/docs/editions.md');
const LINES = [100_000, 1_000_000] as const;
const LIMIT_MS = 600_000;
const LOOK_MS = 50;
const MEGABYTE = 1_000_000;

interface Filled {
  readonly lines: number;
  readonly megabytes: number;
  readonly seconds: number;
  /** The most memory the command had, in MB; undefined where the system does not tell. */
  readonly peak: number | undefined;
}

/** The most memory a process ever had, as Linux tells. */
const peakOf = async (pid: number): Promise<number | undefined> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / MEGABYTE;
};

const ask = async (url: string, text: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(text).finally(() => client.end());
  return rows[0]?.count ?? 0;
};

const fill = async (folder: string, lines: number, { url, migrateUrl }: DatabaseRoles): Promise<Filled> => {
  const files = await writeDumps(folder, lines);
  const sizes = await Promise.all(Object.values(files).map(async (file) => (await stat(file)).size));
  const startedAt = performance.now();
  const child = startChild(root, 'scripts/editions.ts', [files.editions, files.works, files.authors], {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    DATABASE_MIGRATE_URL: migrateUrl ?? url,
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  let peak: number | undefined;
  while (child.isAlive()) {
    peak = (await peakOf(child.pid)) ?? peak;
    await sleep(LOOK_MS);
  }
  const { code } = await child.exited;
  const seconds = (performance.now() - startedAt) / 1_000;
  clearTimeout(limit);
  if (code !== 0) throw new Error(`The command ended with ${code}:\n${child.output()}`);
  const named = await ask(migrateUrl ?? url, `SELECT count(*)::float8 AS count FROM editions WHERE authors <> ''`);
  if (named !== rowsOf(lines).editions)
    throw new Error(`${formatCount(named)} editions have their authors, of ${formatCount(rowsOf(lines).editions)}.`);
  await Promise.all(Object.values(files).map((file) => rm(file)));
  return { lines, megabytes: sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE, seconds, peak };
};

const pageOf = (found: readonly Filled[]): string => {
  const rows = found.map(({ lines, megabytes, seconds, peak }) => {
    const of = rowsOf(lines);
    const counts = [of.editions, of.works, of.authors].map(formatCount).join(' / ');
    const cells = [
      formatCount(lines),
      counts,
      megabytes.toFixed(0),
      seconds.toFixed(1),
      formatCount(Math.round(lines / seconds)),
    ];
    return `| ${[...cells, peak === undefined ? 'not told' : peak.toFixed(0)].join(' | ')} |`;
  });
  return `# Filling the table of editions

\`npm run bench:editions -w lab\` writes files like Open Library's dumps (\`lab/bench/editions/generated-dumps.ts\`), has
\`npm run editions\` read them into an empty shop on an embedded PostgreSQL of its own with full durability, looks whether
each edition got its authors, and writes this page. Seconds are of the whole command, its start included; memory is the
most that the command's process had, and should not grow with the files.

${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}):

| lines | editions / works / authors | MB packed | seconds | lines/s | most MB |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
};

const folder = await mkdtemp(path.join(tmpdir(), 'dogear-editions-'));
// Run as root, the database server belongs to another user, who must pass through.
await chmod(folder, 0o711);
try {
  const found: Filled[] = [];
  for (const lines of LINES) {
    const access = { databaseUrl: undefined, dataDir: path.join(folder, `data-${lines}`) };
    found.push(
      await withRoles(
        access,
        () => {},
        (roles) => fill(folder, lines, roles),
      ),
    );
  }
  const page = await formatMarkdown(pageOf(found));
  await writeFile(PAGE, page);
  console.log(page);
} finally {
  await rm(folder, { recursive: true, force: true });
}
