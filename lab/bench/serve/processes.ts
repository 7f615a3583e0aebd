// What processes cost, as Linux counts it in /proc; elsewhere it is not told.
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Linux counts in hundredths of a second on every machine that Node runs on. */
const TICK_MS = 10;
const NS_PER_MS = 1e6;

export const CAN_COUNT_CPU = process.platform === 'linux';

const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** CPU time of a process with all its threads until now, in milliseconds; undefined where it is not told. */
export const cpuMsOf = async (pid: number): Promise<number | undefined> => {
  const fields = fieldsOf(await read(`/proc/${pid}/stat`));
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isNaN(ticks) ? undefined : ticks * TICK_MS;
};

/** The same of a process of one thread, finer. */
const fineCpuMsOf = async (pid: number): Promise<number | undefined> => {
  const ns = Number.parseInt(await read(`/proc/${pid}/schedstat`), 10);
  return Number.isNaN(ns) ? cpuMsOf(pid) : ns / NS_PER_MS;
};

/**
 * CPU time of the whole machine until now: what it had, and what its host gave to others meanwhile ("steal"); undefined
 * where it is not told.
 */
export const machineTime = async (): Promise<{ had: number; stolen: number } | undefined> => {
  const [user, nice, system, , , irq, softirq, steal] =
    (await read('/proc/stat')).split('\n', 1)[0]?.split(/\s+/).slice(1).map(Number) ?? [];
  if (user === undefined || steal === undefined) return undefined;
  return { had: user + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (softirq ?? 0), stolen: steal };
};

/** The share that the host gave to others, of the time that was wanted between two readings. */
export const stolenBetween = (
  before: Awaited<ReturnType<typeof machineTime>>,
  after: Awaited<ReturnType<typeof machineTime>>,
): number | undefined => {
  if (before === undefined || after === undefined) return undefined;
  const stolen = after.stolen - before.stolen;
  return stolen / Math.max(1, stolen + after.had - before.had);
};

/** Resident memory in megabytes (10^6 bytes), now and at its highest. */
export const memoryOf = async (pid: number): Promise<{ now: number; highest: number } | undefined> => {
  const status = await read(`/proc/${pid}/status`);
  const mb = (name: string): number => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024) / 1e6;
  const now = mb('VmRSS');
  return Number.isNaN(now) ? undefined : { now, highest: mb('VmHWM') };
};

const parentOf = async (pid: number): Promise<number> => Number(fieldsOf(await read(`/proc/${pid}/stat`))[1]);

/** The children of the process that `pid` is a child of. */
const siblingsOf = async (pid: number): Promise<number[]> => {
  const parent = await parentOf(pid);
  const all = (await readdir('/proc')).map(Number).filter((id) => id > 0);
  const parents = await Promise.all(all.map(parentOf));
  return all.filter((_, place) => parents[place] === parent);
};

/** CPU milliseconds of each process, by its id. */
export type CpuByProcess = ReadonlyMap<number, number>;

/**
 * CPU of PostgreSQL: of a server of our own every process but `client`'s, the writers too; of another one those that
 * serve our databases (`dogear_bench_…`). Undefined where its processes are not on this machine.
 */
export const cpuOfPostgres = async (client: pg.ClientBase, isOurs: boolean): Promise<CpuByProcess | undefined> => {
  const { rows } = await client.query<{ pid: number; own: boolean }>(
    `SELECT pid, pid = pg_backend_pid() AS own FROM pg_stat_activity WHERE datname LIKE 'dogear\\_bench\\_%'`,
  );
  const own = rows.find((row) => row.own)?.pid ?? 0;
  const name = await read(`/proc/${own}/comm`);
  if (!name.startsWith('postgres')) return undefined;
  const pids = isOurs ? await siblingsOf(own) : rows.map(({ pid }) => pid);
  const costs = new Map<number, number>();
  for (const pid of pids) {
    const cpu = pid === own ? undefined : await fineCpuMsOf(pid);
    if (cpu !== undefined) costs.set(pid, cpu);
  }
  return costs;
};

/** What was spent between two readings; processes that came meanwhile count as a whole. */
export const spentBetween = (before: CpuByProcess | undefined, after: CpuByProcess | undefined): number | undefined => {
  if (before === undefined || after === undefined) return undefined;
  let spent = 0;
  for (const [pid, cpu] of after) spent += cpu - (before.get(pid) ?? 0);
  return spent;
};
