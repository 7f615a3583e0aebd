import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask } from './database-owner.ts';

/** Whether this machine has a pg_dump that is new enough for the server at `url`. */
export const hasClientFor = async (url: string): Promise<boolean> => {
  const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const [client] = /\d+/.exec(stdout ?? '') ?? [];
  return client !== undefined && Number(client) >= parseInt(await ask(url, 'SHOW server_version'), 10);
};

/** Does `work` on a machine whose pg_dump is this shell script, or that has none. */
export const withPgDump = async (script: string | undefined, work: () => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dogear-client-'));
  if (script !== undefined) writeFileSync(path.join(folder, 'pg_dump'), `#!/bin/sh\n${script}\n`);
  if (script !== undefined) chmodSync(path.join(folder, 'pg_dump'), 0o755);
  const former = process.env['PATH'];
  process.env['PATH'] = folder;
  try {
    await work();
  } finally {
    process.env['PATH'] = former;
    rmSync(folder, { recursive: true });
  }
};
