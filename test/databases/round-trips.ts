import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** An answer is kept back for so long: all that is sent without waiting for it is sent meanwhile. */
const KEPT_BACK_MS = 25;

export interface CountedDatabase {
  /** The same database, by a way on which round trips are counted. */
  readonly url: string;
  /** How many round trips `work` makes on all connections together. */
  during(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/**
 * Counts how often a database is waited for: what is sent before an answer is there belongs to the round trip under
 * way.
 */
export const countRoundTrips = async (databaseUrl: string): Promise<CountedDatabase> => {
  const counted = new URL(databaseUrl);
  const { hostname, port } = counted;
  const folder = counted.searchParams.get('host');
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((near) => {
    const far = folder === null ? connect(Number(port), hostname) : connect(`${folder}/.s.PGSQL.${port}`);
    let isUnderWay = false;
    near.on('data', (sent) => {
      if (!isUnderWay) count += 1;
      isUnderWay = true;
      far.write(sent);
    });
    const answers: Buffer[] = [];
    const answer = async (): Promise<void> => {
      await pause(KEPT_BACK_MS);
      isUnderWay = false;
      near.write(Buffer.concat(answers.splice(0)));
    };
    far.on('data', (sent) => {
      if (answers.push(sent) === 1) void answer();
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  counted.searchParams.delete('host');
  counted.hostname = '127.0.0.1';
  counted.port = String((server.address() as AddressInfo).port);
  return {
    url: counted.href,
    during: async (work) => {
      const before = count;
      await work();
      return count - before;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
