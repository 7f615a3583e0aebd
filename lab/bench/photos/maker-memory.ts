// The most memory that the process had which decodes pictures, as Linux tells it.
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 100;

const readOf = (pid: number, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');

const parentOf = async (pid: number): Promise<number> =>
  Number(/^PPid:\s+(\d+)/m.exec(await readOf(pid, 'status'))?.[1] ?? 0);

const isOf = async (pid: number, ancestor: number): Promise<boolean> => {
  for (let at = pid; at > 1; at = await parentOf(at)) if (at === ancestor) return true;
  return false;
};

const findMaker = async (shop: number): Promise<number | undefined> => {
  const names = await readdir('/proc').catch((): string[] => []);
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) {
    if (/photos\/making\/child\.ts/.test(await readOf(pid, 'cmdline')) && (await isOf(pid, shop))) return pid;
  }
  return undefined;
};

/** Watches the maker of the shop with this process id until it is ended; answers MB, 0 where nothing is told. */
export const watchMaker = (shop: number): { end(): Promise<number> } => {
  let isOn = true;
  const watching = (async () => {
    let [peak, maker] = [0, undefined as number | undefined];
    while (isOn) {
      maker ??= await findMaker(shop);
      const status = maker === undefined ? '' : await readOf(maker, 'status');
      if (status === '') maker = undefined;
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
      peak = Math.max(peak, (Number(kilobytes ?? 0) * 1_024) / 1_000_000);
      await sleep(LOOK_MS);
    }
    return peak;
  })();
  return {
    end: () => {
      isOn = false;
      return watching;
    },
  };
};
