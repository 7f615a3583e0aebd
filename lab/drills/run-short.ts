import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** Far more than a short drill takes: it ends by itself, and on a busy machine late. */
export const DRILL_LIMIT_MS = 240_000;

/** Runs a drill in its short form, as a person runs it; answers all it printed and its exit code. */
export const runShort = async (
  name: string,
  given: Record<string, string> = {},
): Promise<{ printed: string; code: number | null }> => {
  const env = { ...process.env, ...given };
  const child = spawn(process.execPath, [path.join(root, 'lab/drill.ts'), name, '--short'], { cwd: root, env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { printed, code };
};
