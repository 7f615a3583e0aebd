import type { Cluster } from './cluster.ts';
import { leaderOf, synchronousOf, type Member } from './patroni.ts';
import { NODES } from './plan.ts';

export interface SceneTools {
  readonly cluster: Cluster;
  readonly say: (line: string) => void;
  /** When the shop acknowledged something, by `performance.now()`. */
  readonly writes: readonly number[];
}

export interface Scene {
  readonly name: string;
  play(tools: SceneTools): Promise<void>;
}

const BACK_LIMIT_MS = 60_000;
const WHOLE_LIMIT_MS = 180_000;
const CUT_MS = 15_000;
/** Shorter than the primary takes to give a replica up. */
const UNHEARD_MS = 2_500;
const LOOK_AGAIN_MS = 50;
/** A machine that lost its power is not up again at once. */
const DARK_MS = 5_000;
const WRITES_TO_BE_BACK = 5;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const since = (moment: number): string => `${((performance.now() - moment) / 1000).toFixed(1)} s`;

/** Fulfils when several writes were acknowledged after now, and says how long the first took. */
const writesAreBack = async ({ writes, say }: SceneTools, moment: number): Promise<void> => {
  const before = writes.length;
  // What was on its way when it happened may still come home; it is not counted as being back unless others follow.
  while (writes.length < before + WRITES_TO_BE_BACK) {
    if (performance.now() - moment > BACK_LIMIT_MS) return say(`  no writes after ${since(moment)}`);
    await sleep(LOOK_AGAIN_MS);
  }
  say(`  after ${since(moment)} ${WRITES_TO_BE_BACK} writes more were acknowledged`);
};

const must = (member: Member | undefined, what: string): Member => {
  if (member === undefined) throw new Error(`There is no ${what}.`);
  return member;
};

const numberOf = ({ name }: Member): number => NODES.findIndex((known) => known === name) + 1;

const untilWhole = async ({ cluster, say }: SceneTools, moment: number): Promise<void> => {
  const { patroni } = cluster;
  const deadline = performance.now() + WHOLE_LIMIT_MS;
  let members: readonly Member[] = [];
  for (let followers = 0; followers < NODES.length - 1; await sleep(LOOK_AGAIN_MS)) {
    members = await patroni.until('all nodes are back', WHOLE_LIMIT_MS, cluster.isWhole);
    followers = (await patroni.followersOf(numberOf(must(leaderOf(members), 'primary')))).length;
    if (performance.now() > deadline) throw new Error(`Only ${followers} replicas follow the primary.`);
  }
  const [leader, synchronous] = [leaderOf(members), synchronousOf(members)];
  say(
    `  after ${since(moment)} all three nodes stand: ${leader?.name} leads, ${synchronous?.name ?? 'none'} is synchronous`,
  );
};

const otherThan = (name: string) => (n: number) => NODES[n - 1] !== name;

const killThePrimary: Scene = {
  name: 'The machine of the primary dies',
  play: async (tools) => {
    const { cluster, say } = tools;
    const victim = must(leaderOf(await cluster.patroni.members()), 'primary');
    const others = NODES.filter((name) => name !== victim.name);
    // Whatever is acknowledged while no replica hears of it is lost, and so nothing may be.
    for (const name of others) cluster.network.cut(victim.name, name);
    const before = tools.writes.length;
    await sleep(UNHEARD_MS);
    say(
      `  for ${UNHEARD_MS / 1_000} s no replica heard of anything; ${tools.writes.length - before} writes were acknowledged`,
    );
    // Silent first: a machine without power closes no connection.
    cluster.network.cut(victim.name);
    const killed = await cluster.nodeOf(victim).kill();
    for (const name of others) cluster.network.restart(victim.name, name);
    const moment = performance.now();
    say(
      `  kill -9 of ${killed} processes on ${victim.name}: Patroni, PostgreSQL and all it runs; its network is silent`,
    );
    const follows = await cluster.patroni.until(
      'another primary',
      BACK_LIMIT_MS,
      (members) => (leaderOf(members)?.name ?? victim.name) !== victim.name,
      otherThan(victim.name),
    );
    say(`  after ${since(moment)} ${leaderOf(follows)?.name} is the primary`);
    await writesAreBack(tools, moment);
    await sleep(DARK_MS);
    const again = performance.now();
    cluster.network.restart(victim.name);
    cluster.nodeOf(victim).start();
    say(`  ${victim.name} is switched on again`);
    await untilWhole(tools, again);
  },
};

const cutTheReplica: Scene = {
  name: 'The network to the synchronous replica is cut',
  play: async (tools) => {
    const { cluster, say } = tools;
    const victim = must(synchronousOf(await cluster.patroni.members()), 'synchronous replica');
    cluster.network.cut(victim.name);
    const moment = performance.now();
    say(`  nothing reaches or leaves ${victim.name}: primary, etcd, HAProxy, the shop`);
    await writesAreBack(tools, moment);
    await sleep(Math.max(0, CUT_MS - (performance.now() - moment)));
    cluster.network.mend(victim.name);
    const mended = performance.now();
    say(`  after ${since(moment)} the network is mended`);
    await untilWhole(tools, mended);
  },
};

const rebuildANode: Scene = {
  name: 'A node is rebuilt',
  play: async (tools) => {
    const { cluster, say } = tools;
    const members = await cluster.patroni.members();
    const victim = must(
      members.find(({ role }) => role === 'replica'),
      'other replica',
    );
    const node = cluster.nodeOf(victim);
    await node.stop();
    await node.erase();
    const moment = performance.now();
    say(`  ${victim.name} was stopped and its data folder removed`);
    node.start();
    await untilWhole(tools, moment);
  },
};

const switchOver: Scene = {
  name: 'The primary is moved on purpose',
  play: async (tools) => {
    const { cluster, say } = tools;
    const members = await cluster.patroni.members();
    const [from, to] = [must(leaderOf(members), 'primary'), must(synchronousOf(members), 'synchronous replica')];
    const moment = performance.now();
    const answer = await fetch(`${cluster.patroni.addressOf(numberOf(from))}/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: from.name, candidate: to.name }),
    });
    say(`  Patroni was asked to: "${(await answer.text()).trim()}"`);
    await writesAreBack(tools, moment);
    await untilWhole(tools, moment);
  },
};

/** What the planted mistake comes out in. */
export const CARELESS_SCENES: readonly Scene[] = [killThePrimary];

export const SCENES: readonly Scene[] = [killThePrimary, cutTheReplica, rebuildANode, switchOver];
