import { chownSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findServerUser, type ServerUser } from '#server/platform/demo/placement.ts';
import type { Programs } from './needed.ts';
import { createNetwork, type Network } from './network.ts';
import { makeNode, type DatabaseNode } from './node.ts';
import { createPatroniView, isWhole, leaderOf, type Member } from './patroni.ts';
import { makePlan, NODES, PORTS, sharedValues, type Plan, type SharedValues } from './plan.ts';
import { startProcess, type Running } from './process.ts';
import { fill, readVariables } from './template.ts';

const TEMPLATES = path.join(import.meta.dirname, '../../ops/cluster');
/** On a busy machine; each takes seconds else. */
const OPEN_LIMIT_MS = 180_000;
const LOOK_AGAIN_MS = 200;
const NO_VALUES = {};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export interface Cluster {
  readonly plan: Plan;
  readonly values: SharedValues;
  readonly network: Network;
  readonly nodes: readonly DatabaseNode[];
  readonly patroni: ReturnType<typeof createPatroniView>;
  /** What `ops/cluster/shop.env` says to a process of the shop. */
  shopEnv(n: number): Record<string, string>;
  /** The owner's address of the database, by HAProxy and past the pooler. */
  readonly ownerUrl: string;
  nodeOf(member: Member): DatabaseNode;
  /** Whether all nodes are there as they should be. */
  isWhole(members: readonly Member[]): boolean;
}

/** How things are ended, in the order in which they were begun; run in reverse. */
export type Closers = (() => unknown)[];

export interface ClusterOptions {
  readonly programs: Programs;
  readonly folder: string;
  readonly closers: Closers;
  /** A planted mistake: commits wait for no replica. */
  readonly isCareless: boolean;
  readonly say: (line: string) => void;
}

/** Fills a template of `ops/cluster` into a folder of its user's. */
const makeWriter = (user: ServerUser | undefined, shared: SharedValues) => {
  const own = (file: string, mode: number): string => {
    if (user !== undefined) chownSync(file, user.uid, user.gid);
    chmodSync(file, mode);
    return file;
  };
  return {
    folder: (folder: string): string => {
      mkdirSync(folder, { recursive: true });
      return own(folder, 0o700);
    },
    filled: (name: string, values: Readonly<Record<string, string>>): string =>
      fill(readFileSync(path.join(TEMPLATES, name), 'utf8'), { ...shared, ...values }),
    write: (file: string, text: string, mode = 0o600): string => {
      writeFileSync(file, text);
      return own(file, mode);
    },
  };
};

const untilAnswers = async (url: string, of: Running): Promise<void> => {
  const deadline = performance.now() + OPEN_LIMIT_MS;
  while (performance.now() < deadline && of.isAlive()) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(LOOK_AGAIN_MS);
  }
  throw new Error(`${of.name} did not come up:\n${of.tail()}`);
};

const careless = (config: string): string => {
  const planted = config.replace('synchronous_mode: true', 'synchronous_mode: false');
  if (planted === config) throw new Error('The configuration of Patroni has grown away from the planted mistake.');
  return planted;
};

/** Puts up etcd, Patroni with PostgreSQL, HAProxy and PgBouncer, from the files of `ops/cluster`. */
export const openCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { programs, folder, closers, say, isCareless } = options;
  const isAllThere = (members: readonly Member[]): boolean => isWhole(members, NODES.length, !isCareless);
  const plan = makePlan();
  const user = findServerUser();
  const values = sharedValues(plan);
  const { folder: makeFolder, filled, write } = makeWriter(user, values);
  const network = createNetwork();
  closers.push(() => network.close());
  const launch = (name: string, command: readonly string[], env: Record<string, string> = {}): Running => {
    const logFile = path.join(folder, `${name}.log`);
    return startProcess({ name, setpriv: programs.setpriv, command, env, user, logFile });
  };
  const keep = (running: Running): Running => {
    closers.push(() => running.end('SIGTERM'));
    return running;
  };

  const etcds = [1, 2, 3].map((n) => {
    const text = filled('etcd.env', {
      ETCD_NAME: `etcd${n}`,
      ETCD_DATA_DIR: path.join(makeFolder(path.join(folder, `etcd${n}`)), 'data'),
      ETCD_ADDRESS: plan.etcd(n),
    });
    return keep(launch(`etcd${n}`, [programs.etcd], readVariables(text)));
  });
  for (const [n, etcd] of etcds.entries()) await untilAnswers(`http://${plan.etcd(n + 1)}:${PORTS.etcd}/health`, etcd);
  say('etcd: three members.');

  const makeShop = write(
    path.join(makeFolder(path.join(folder, 'bootstrap')), 'make-shop.sh'),
    filled('make-shop.sh', NO_VALUES),
    0o700,
  );
  const nodes: DatabaseNode[] = [];
  for (const [index, name] of NODES.entries()) {
    const n = index + 1;
    for (const port of [PORTS.postgres, PORTS.patroni]) {
      await network.lay({ host: plan.node(n), port }, { host: plan.inside(n), port }, [name], NODES);
    }
    const near = [1, 2, 3].map((m) => ({ host: plan.etcdOf(n, m), port: PORTS.etcd }));
    for (const [m, place] of near.entries()) {
      await network.lay(place, { host: plan.etcd(m + 1), port: PORTS.etcd }, [name]);
    }
    const home = makeFolder(path.join(folder, name));
    const dataDir = path.join(home, 'data');
    const config = filled('patroni.yml', {
      NODE_NAME: name,
      NODE_ADDRESS: plan.node(n),
      LISTEN_ADDRESS: plan.inside(n),
      ETCD_HOSTS: near.map(({ host, port }) => `${host}:${port}`).join(','),
      ETCD_THROUGH_PROXIES: 'true',
      MAKE_SHOP: makeShop,
      DATA_DIR: dataDir,
      POSTGRES_BIN: programs.postgres,
      PGPASS_FILE: path.join(home, 'pgpass'),
      SOCKET_DIR: home,
    });
    const file = write(path.join(home, 'patroni.yml'), isCareless ? careless(config) : config);
    const { OWNER_PASSWORD, APP_PASSWORD } = values;
    const node = makeNode({
      name,
      dataDir,
      launch: () => launch(name, [programs.patroni, file], { OWNER_PASSWORD, APP_PASSWORD, HOME: home }),
    });
    nodes.push(node);
    closers.push(() => node.stop());
  }

  const patroni = createPatroniView(plan, NODES.length);
  const [first, ...others] = nodes;
  first?.start();
  await patroni
    .until('the first node leads', OPEN_LIMIT_MS, (members) => leaderOf(members) !== undefined)
    .catch((error: Error) => {
      throw new Error(`${error.message}\n${first?.tail()}`);
    });
  for (const node of others) node.start();
  await patroni.until('three nodes', OPEN_LIMIT_MS, isAllThere);
  say(`PostgreSQL: three nodes under Patroni, ${isCareless ? 'no' : 'one'} replica synchronous.`);

  const home = makeFolder(path.join(folder, 'proxies'));
  const haproxyFile = write(path.join(home, 'haproxy.cfg'), filled('haproxy.cfg', NO_VALUES));
  const haproxy = keep(launch('haproxy', [programs.haproxy, '-db', '-f', haproxyFile]));
  const userlist = write(path.join(home, 'userlist.txt'), filled('userlist.txt', NO_VALUES));
  const pooler = { USERLIST_FILE: userlist, PGBOUNCER_LOG: path.join(home, 'pgbouncer.log') };
  const poolerFile = write(path.join(home, 'pgbouncer.ini'), filled('pgbouncer.ini', pooler));
  const pgbouncer = keep(launch('pgbouncer', [programs.pgbouncer, poolerFile]));
  await sleep(1_000);
  for (const one of [haproxy, pgbouncer]) if (!one.isAlive()) throw new Error(`${one.name} ended:\n${one.tail()}`);
  say('HAProxy and PgBouncer (session pooling) in front.');

  const envOf = (n: number): Record<string, string> =>
    readVariables(filled('shop.env', { SHOP_ADDRESS: plan.shop(n) }));
  return {
    plan,
    values,
    network,
    nodes,
    patroni,
    isWhole: isAllThere,
    // HAProxy's own connections come from the loopback address here.
    shopEnv: (n) => ({ ...envOf(n), TRUST_PROXY: '127.0.0.0/8' }),
    ownerUrl: envOf(1)['DATABASE_MIGRATE_URL'] ?? '',
    nodeOf: (member) => {
      const node = nodes.find(({ name }) => name === member.name);
      if (node === undefined) throw new Error(`There is no ${member.name}.`);
      return node;
    },
  };
};
