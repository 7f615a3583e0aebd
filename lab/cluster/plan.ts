import { randomBytes, randomInt } from 'node:crypto';

export const NODES = ['node1', 'node2', 'node3'] as const;
export type NodeName = (typeof NODES)[number];

/** Ports are those of the real thing: each machine has addresses of its own within 127.0.0.0/8. */
export const PORTS = { postgres: 5432, patroni: 8008, etcd: 2379, primary: 5000, pgbouncer: 6432, shop: 3000 } as const;

/** Which address is whose. */
export interface Plan {
  /** Where others reach a node: the near end of its cable. */
  node(n: number): string;
  /** Where a node listens: the far end. */
  inside(n: number): string;
  etcd(n: number): string;
  /** Where node `n` finds etcd `m`: the near end of a cable of its own. */
  etcdOf(n: number, m: number): string;
  readonly haproxy: string;
  readonly pgbouncer: string;
  shop(n: number): string;
}

/** Addresses that nobody else uses: a network of 256 drawn by lot. */
export const makePlan = (): Plan => {
  const network = `127.${randomInt(64, 250)}.${randomInt(1, 250)}`;
  return {
    node: (n) => `${network}.${10 + n}`,
    inside: (n) => `${network}.${20 + n}`,
    etcd: (n) => `${network}.${30 + n}`,
    etcdOf: (n, m) => `${network}.${100 + 10 * n + m}`,
    haproxy: `${network}.41`,
    pgbouncer: `${network}.42`,
    shop: (n) => `${network}.${50 + n}`,
  };
};

const secret = (): string => randomBytes(18).toString('base64url');

/** What the templates of `ops/cluster` ask for, but for what differs from node to node. */
export const sharedValues = (plan: Plan) => ({
  NETWORK: '127.0.0.0/8',
  NODE1: plan.node(1),
  NODE2: plan.node(2),
  NODE3: plan.node(3),
  ETCD1: plan.etcd(1),
  ETCD2: plan.etcd(2),
  ETCD3: plan.etcd(3),
  HAPROXY_ADDRESS: plan.haproxy,
  PGBOUNCER_ADDRESS: plan.pgbouncer,
  SHOP1: plan.shop(1),
  SHOP2: plan.shop(2),
  SHOP_BIND: `${plan.haproxy}:${PORTS.shop}`,
  SUPERUSER_PASSWORD: secret(),
  REPLICATION_PASSWORD: secret(),
  REWIND_PASSWORD: secret(),
  OWNER_PASSWORD: secret(),
  APP_PASSWORD: secret(),
});

export type SharedValues = ReturnType<typeof sharedValues>;
