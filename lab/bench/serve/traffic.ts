import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Order, Slice } from './generator.ts';

/** Beyond a slice and the answers it waits for. */
const SPARE_MS = 20_000;
/** Characters of a line of a request, where people read it. */
const MOST_SHOWN = 200;

/** The load generator, from this side. */
export interface Traffic {
  run(order: Order): Promise<Slice>;
  stop(): Promise<void>;
}

/** Starts the load generator; a slice that does not end rejects, and ends the generator. */
export const startTraffic = (): Traffic => {
  const child = fork(path.join(import.meta.dirname, 'generator.ts'), ['serve'], { serialization: 'advanced' });
  const gone = once(child, 'exit');
  return {
    run: async (order) => {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), order.ms + SPARE_MS);
      const told = once(child, 'message', { signal: limit.signal });
      child.send(order);
      try {
        const [slice] = (await Promise.race([
          told,
          gone.then(() => Promise.reject(new Error('The load generator ended.'))),
        ])) as [Slice];
        return slice;
      } catch (error) {
        child.kill('SIGKILL');
        throw limit.signal.aborted ? new Error('The load generator did not come to an end.') : error;
      } finally {
        clearTimeout(timer);
      }
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
};

/** A whole request as it goes over the wire. */
export const requestText = (target: string, headers: Readonly<Record<string, string>> = {}, post?: unknown): string => {
  const body = post === undefined ? '' : JSON.stringify(post);
  const lines = [
    `${post === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(post === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** A request to be read by people: what lets somebody in is left out, what is long is cut. */
export const readable = (request: string): string =>
  request
    .replace(/(?<=^authorization: Bearer ).+$/im, '…')
    .split('\r\n')
    .map((line) => `  ${line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line}`)
    .join('\n')
    .trimEnd();

const shown = new Set<string>();

/** Writes requests where the generator reads them, and prints the first one of each kind; answers the file. */
export const writeRequests = async (folder: string, name: string, requests: readonly string[]): Promise<string> => {
  const [first] = requests;
  if (first === undefined) throw new Error(`There is nothing to ask for (${name}).`);
  const kind = `${path.basename(folder)}/${name.replace(/-\d+$/, '')}`;
  if (!shown.has(kind)) console.log(`${name.replace(/-\d+$/, '')} sends:\n${readable(first)}`);
  shown.add(kind);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(requests));
  return file;
};
