import { createServer, connect as connectSocket, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connect, isTooBusy, isUnavailable, type Connection, type Db } from './db.ts';
import { notFound } from '#server/platform/errors.ts';
import { listenForNotify, type NotifyListener } from './notify-listener.ts';
import { openReplicas, type Replicas } from './replicas.ts';
import { ask } from '#test/databases/database-owner.ts';
import { startReplicated, type Replicated } from '#test/databases/replicated.ts';

const GONE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const LISTS = ['lists'];

let pair: Replicated;
let primary: Connection;
let db: Db;
let listener: NotifyListener;
let replicas: Replicas;
const told: string[] = [];

beforeAll(async () => {
  pair = await startReplicated((url) => ask(url, 'CREATE TABLE shelf (title text)'));
  const { url } = pair.primary();
  primary = connect(url, { connections: 4 });
  ({ db } = primary);
  listener = listenForNotify(url, {
    onNotify: {
      catalogue: (payload) => replicas.invalidate(payload === 'all' ? 'all' : new Set([payload])),
    },
    onGap: () => replicas.invalidate('all'),
  });
  const at = pair.standby().url;
  replicas = openReplicas({
    primary,
    primaryUrl: url,
    urls: [at],
    connections: 2,
    isCurrent: () => listener.isCurrent(),
    onChange: (name, away) => {
      if (name === new URL(at).host) told.push(away === undefined ? 'back' : 'away');
    },
  });
});

afterAll(async () => {
  await replicas.stop();
  await listener.stop();
  await pair.close();
});

interface Read {
  readonly titles: number;
  readonly from: 'replica' | 'primary';
}

const count = async (from: Db): Promise<Read> => {
  const { rows } = await sql<Read>`SELECT count(*)::int AS titles,
    CASE WHEN pg_is_in_recovery() THEN 'replica' ELSE 'primary' END AS from FROM shelf`.execute(from);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
};
const read = (tags: readonly string[] = LISTS): Promise<Read> => replicas.read(tags, count);

const add = (title: string): Promise<unknown> => sql`INSERT INTO shelf VALUES (${title})`.execute(db);
/** Puts a title on the shelf and sends its tag. */
const addAndSend = async (tag: string): Promise<void> => {
  await add(tag);
  await sql`SELECT pg_notify('catalogue', ${tag})`.execute(db);
};

afterEach(() => pair.resumeReplay());
beforeEach(() => expect.poll(async () => (await read()).from, { timeout: 5_000 }).toBe('replica'));

test('a replica is no primary: behind an address that leads to one it is an outage', async () => {
  const misled = connect(pair.standby().url, { connections: 1 });
  await expect(count(misled.db)).rejects.toSatisfy(isUnavailable);
  await misled.close();
});

test('what changed is read from the primary until the replica has it, what did not change is not', async () => {
  await pair.pauseReplay();
  const { titles } = await count(db);
  await addAndSend('lists');
  await expect.poll(() => read(), { interval: 5 }).toEqual({ titles: titles + 1, from: 'primary' });
  expect((await read(['category:other'])).from).toBe('replica');
  await pair.resumeReplay();
  await expect.poll(() => read()).toEqual({ titles: titles + 1, from: 'replica' });
});

test('nobody is shown what was before a change for longer than 1.1 s, told or not, however far behind the replica is', async () => {
  await pair.pauseReplay();
  const { titles } = await count(db);
  await add('not told');
  await sleep(1_100);
  expect(await read()).toEqual({ titles: titles + 1, from: 'primary' });
  await sleep(500);
  expect(await read()).toEqual({ titles: titles + 1, from: 'primary' });
  await pair.resumeReplay();
  await expect.poll(() => read(), { timeout: 3_000 }).toEqual({ titles: titles + 1, from: 'replica' });
});

test('a primary that is only busy is no outage: no replica answers for it what changed', async () => {
  const crowded = (from: Db): Promise<Read> =>
    from === db ? Promise.reject(new Error('timeout exceeded when trying to connect')) : count(from);
  replicas.invalidate(new Set(['category:busy']));
  await expect(replicas.read(['category:busy'], crowded)).rejects.toSatisfy(isTooBusy);
  expect((await replicas.read(LISTS, crowded)).from).toBe('replica');
  const gone = (from: Db): Promise<Read> => (from === db ? Promise.reject(GONE) : count(from));
  expect((await replicas.read(['category:busy'], gone)).from).toBe('replica');
});

test('what a replica does not have is asked of the primary; what it finds wrong is answered', async () => {
  const asked: string[] = [];
  const missing = replicas.read(LISTS, async (from) => {
    const { from: where } = await count(from);
    asked.push(where);
    if (where === 'replica') throw notFound();
    return where;
  });
  expect([await missing, asked]).toEqual(['primary', ['replica', 'primary']]);
  await expect(replicas.read(LISTS, (from) => sql`SELECT pg_sleep(5)`.execute(from))).rejects.toThrow('timeout');
});

test('no read fails while the replica goes, is away and comes back', async () => {
  told.length = 0;
  const { titles } = await count(db);
  let stop = false;
  const seen = new Set<string>();
  const readers = Array.from({ length: 4 }, async () => {
    while (!stop) {
      const one = await read();
      expect(one.titles).toBe(titles);
      seen.add(one.from);
    }
  });
  await pair.stop('standby');
  await expect.poll(() => told).toEqual(['away']);
  await pair.start('standby');
  await expect.poll(() => told, { timeout: 3_000 }).toEqual(['away', 'back']);
  await expect.poll(async () => (await read()).from).toBe('replica');
  stop = true;
  await Promise.all(readers);
  expect(seen).toEqual(new Set(['replica', 'primary']));
});

test('while the primary is away the replica answers, what it does not have too', async () => {
  const { titles } = await count(db);
  await pair.stop('primary');
  expect(await read()).toEqual({ titles, from: 'replica' });
  await expect.poll(() => listener.isCurrent()).toBe(false);
  expect(await read()).toEqual({ titles, from: 'replica' });
  await expect(replicas.read(LISTS, () => Promise.reject(notFound()))).rejects.toThrow(notFound().message);
  await pair.start('primary');
  await expect.poll(() => listener.isCurrent(), { timeout: 5_000 }).toBe(true);
});

/** An address that leads to the primary until it falls silent, as a machine does whose network is cut. */
const openCable = async () => {
  const sockets: Socket[] = [];
  let isCut = false;
  const { searchParams, port } = new URL(pair.primary().url);
  const server = createServer((near) => {
    const far = connectSocket(`${searchParams.get('host')}/.s.PGSQL.${port}`);
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => isCut || to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => isCut || to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(pair.primary().url);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut: () => void (isCut = true),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

test('a primary that falls silent keeps no read waiting', async () => {
  const cable = await openCable();
  const own = openReplicas({
    primary: connect(cable.url, { connections: 2 }),
    primaryUrl: cable.url,
    urls: [pair.standby().url],
    connections: 2,
    isCurrent: () => true,
    onChange: () => {},
  });
  await expect.poll(async () => (await own.read(LISTS, count)).from, { timeout: 5_000 }).toBe('replica');
  own.invalidate('all');
  expect((await own.read(LISTS, count)).from).toBe('primary');
  cable.cut();
  const began = performance.now();
  expect((await own.read(LISTS, count)).from).toBe('replica');
  expect(performance.now() - began).toBeLessThan(2_000);
  cable.close();
  await own.stop();
});
