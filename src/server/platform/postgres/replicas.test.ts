import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connect, isTooBusy, isUnavailable, type Db } from './db.ts';
import { notFound } from '#server/platform/errors.ts';
import { listenForNews, type News } from './news.ts';
import { openReplicas, type Replicas, type ReadNeed } from './replicas.ts';
import { ask } from '#test/database-owner.ts';
import { startReplicated, type Replicated } from '#test/replicated.ts';

const GONE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const ANYONE: ReadNeed = { scopes: ['lists'], wroteAt: null };

let pair: Replicated;
let db: Db;
let close: () => Promise<void>;
let news: News;
let replicas: Replicas;
const told: string[] = [];

beforeAll(async () => {
  pair = await startReplicated((url) => ask(url, 'CREATE TABLE shelf (title text)'));
  ({ db, close } = connect(pair.primary().url, { connections: 4 }));
  news = listenForNews(pair.primary().url, {
    channel: 'catalogue',
    onNews: (payload) => replicas.changed(payload === 'all' ? 'all' : new Set([payload])),
    onGap: () => replicas.changed('all'),
  });
  replicas = openReplicas({
    primary: db,
    urls: [pair.standby().url],
    connections: 2,
    position: () => news.position(),
    isCurrent: () => news.isCurrent(),
    onChange: (_name, away) => told.push(away === undefined ? 'back' : 'away'),
  });
});

afterAll(async () => {
  await replicas.stop();
  await news.stop();
  await close();
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
const read = (need: ReadNeed = ANYONE): Promise<Read> => replicas.read(need, count);

/** Puts a title on the shelf and says so; answers the place of the log after it. */
const add = async (scope: string): Promise<string> => {
  await sql`INSERT INTO shelf VALUES (${scope})`.execute(db);
  await sql`SELECT pg_notify('catalogue', ${scope})`.execute(db);
  const { rows } = await sql<{ at: string }>`SELECT pg_current_wal_insert_lsn()::text AS at`.execute(db);
  return rows[0]?.at ?? '';
};

afterEach(() => pair.resumeReplay());
beforeEach(() => expect.poll(async () => (await read()).from).toBe('replica'));

test('a replica is no primary: behind an address that leads to one it is an outage', async () => {
  const misled = connect(pair.standby().url, { connections: 1 });
  await expect(count(misled.db)).rejects.toSatisfy(isUnavailable);
  await misled.close();
});

test('a read goes to the replica once it is up to date', async () => {
  const { titles } = await count(db);
  expect(await read()).toEqual({ titles, from: 'replica' });
});

test('what was told to have changed is read from the primary until the replica has it, what did not change is not', async () => {
  await pair.pauseReplay();
  const { titles } = await count(db);
  await add('lists');
  await expect.poll(() => read()).toEqual({ titles: titles + 1, from: 'primary' });
  expect((await read({ ...ANYONE, scopes: ['category:other'] })).from).toBe('replica');
  await pair.resumeReplay();
  await expect.poll(() => read()).toEqual({ titles: titles + 1, from: 'replica' });
});

test('whoever changed something reads it, whatever is told', async () => {
  await pair.pauseReplay();
  const { titles } = await count(db);
  const wroteAt = await add('category:quiet');
  expect(await read({ ...ANYONE, wroteAt })).toEqual({ titles: titles + 1, from: 'primary' });
  expect(await read()).toEqual({ titles, from: 'replica' });
  await pair.resumeReplay();
  await expect.poll(() => read({ ...ANYONE, wroteAt })).toEqual({ titles: titles + 1, from: 'replica' });
});

test('a primary that is only busy is no outage: a replica that knows too little does not answer for it', async () => {
  await pair.pauseReplay();
  const wroteAt = await add('category:busy');
  const crowded = (from: Db): Promise<Read> =>
    from === db ? Promise.reject(new Error('timeout exceeded when trying to connect')) : count(from);
  await expect(replicas.read({ ...ANYONE, wroteAt }, crowded)).rejects.toSatisfy(isTooBusy);
  const anyone = () =>
    replicas.read(ANYONE, crowded).then(
      ({ from }) => from,
      () => undefined,
    );
  await expect.poll(anyone).toBe('replica');
  const gone = (from: Db): Promise<Read> => (from === db ? Promise.reject(GONE) : count(from));
  expect((await replicas.read({ ...ANYONE, wroteAt }, gone)).from).toBe('replica');
});

test('a replica that stays behind is left out, and comes back by itself', async () => {
  await pair.pauseReplay();
  await add('category:another');
  await expect.poll(async () => (await read()).from).toBe('primary');
  await pair.resumeReplay();
  await expect.poll(async () => (await read()).from).toBe('replica');
});

test('what a replica does not have is asked of the primary; what it finds wrong is answered', async () => {
  const asked: string[] = [];
  const missing = replicas.read(ANYONE, async (from) => {
    const { from: where } = await count(from);
    asked.push(where);
    if (where === 'replica') throw notFound();
    return where;
  });
  expect([await missing, asked]).toEqual(['primary', ['replica', 'primary']]);
  await expect(replicas.read(ANYONE, (from) => sql`SELECT pg_sleep(5)`.execute(from))).rejects.toThrow('timeout');
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
  await expect.poll(() => told).toEqual(['away', 'back']);
  await expect.poll(async () => (await read()).from).toBe('replica');
  stop = true;
  await Promise.all(readers);
  expect(seen).toEqual(new Set(['replica', 'primary']));
});

test('while the primary is away the replica answers', async () => {
  const { titles } = await count(db);
  await pair.stop('primary');
  expect(await read()).toEqual({ titles, from: 'replica' });
  await expect.poll(() => news.isCurrent()).toBe(false);
  expect(await read()).toEqual({ titles, from: 'replica' });
  await pair.start('primary');
  await expect.poll(() => news.isCurrent()).toBe(true);
});

const untilItReads = (own: Replicas): Promise<void> =>
  expect
    .poll(() => own.read(ANYONE, (from) => (from === db ? Promise.reject(GONE) : count(from))).catch(() => undefined))
    .toBeDefined();

/** Reads of a shop that knows of `primary` only what it does when it is asked. */
const beside = (isCurrent: () => boolean): Replicas =>
  openReplicas({
    primary: db,
    urls: [pair.standby().url],
    connections: 2,
    position: () => Promise.reject(new Error('nobody knows')),
    isCurrent,
    onChange: () => {},
  });

test.each(['from the beginning', 'while it is asked'])(
  'a primary that is silent %s keeps no read waiting',
  async (when) => {
    let isCurrent = when === 'while it is asked';
    const own = beside(() => isCurrent);
    const patient = (from: Db): Promise<Read> => (from === db ? new Promise(() => {}) : count(from));
    await untilItReads(own);
    setTimeout(() => (isCurrent = false), 600);
    expect((await own.read(ANYONE, patient)).from).toBe('replica');
    await own.stop();
  },
);

test('a replica that goes while it stands in for the primary leaves an outage, not a defect', async () => {
  const own = beside(() => false);
  await untilItReads(own);
  const lost = new Error('the replica went away');
  const asked: string[] = [];
  const work = (from: Db): Promise<never> => {
    asked.push(from === db ? 'primary' : 'replica');
    return Promise.reject(from === db ? GONE : lost);
  };
  await expect(own.read(ANYONE, work)).rejects.toBe(GONE);
  expect(asked).toEqual(['primary', 'replica']);
  await own.stop();
});
