import { readdirSync, readFileSync } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { longestGap } from './gaps.ts';
import { judge, type Seen } from './judge.ts';
import { requirePrograms } from './needed.ts';
import { createNetwork, type Network } from './network.ts';
import { isWhole, type Member } from './patroni.ts';
import { fill, readVariables } from './template.ts';

const FOUND = { postgres: '/p', patroni: '/pa', etcd: '/e', haproxy: '/h', pgbouncer: '/b', setpriv: '/s' };

describe('what the drill needs', () => {
  test('is all there, or the packages that are not are named with the command that brings them', () => {
    expect(requirePrograms(FOUND)).toEqual(FOUND);
    const sentence = requirePrograms({ ...FOUND, patroni: undefined, etcd: undefined });
    expect(sentence).toContain('apt-get install patroni etcd-server\n');
    expect(sentence).not.toContain('haproxy');
  });
});

describe('templates', () => {
  test('are filled, and a name that nobody gave is refused', () => {
    expect(fill('a ${ONE} b ${TWO}', { ONE: '1', TWO: '2' })).toBe('a 1 b 2');
    expect(() => fill('${THREE}', {})).toThrow('THREE');
  });

  test('of variables are read', () => {
    expect(readVariables('# no\nA="b c"\nD=e=f\n')).toEqual({ A: 'b c', D: 'e=f' });
  });

  test('in ops/cluster ask for nothing that is not documented', () => {
    const folder = path.join(import.meta.dirname, '../../ops/cluster');
    const document = readFileSync(path.join(import.meta.dirname, '../../docs/cluster.md'), 'utf8');
    for (const name of readdirSync(folder)) {
      const asked = readFileSync(path.join(folder, name), 'utf8').matchAll(/\$\{([A-Z0-9_]+)\}/g);
      for (const [, variable] of asked) expect(document, name).toContain(`\`${variable}\``);
      expect(document).toContain(name);
    }
  });
});

describe('the longest time without a success', () => {
  test.each([
    [[], { fromMs: 0, ms: 100 }],
    [[10, 90], { fromMs: 10, ms: 80 }],
    [[90, 95, 10, 30], { fromMs: 30, ms: 60 }],
    [[60, -5, 300], { fromMs: 0, ms: 60 }],
  ])('among %j', (times, expected) => {
    expect(longestGap(times, 0, 100)).toEqual(expected);
  });

  const every = (ms: number, toMs: number): number[] => Array.from({ length: Math.ceil(toMs / ms) }, (_, n) => n * ms);
  const seen = (change: Partial<Seen>): Seen => ({
    scene: 'a scene',
    fromMs: 0,
    toMs: 60_000,
    writes: every(500, 60_000),
    reads: { answered: { book: every(500, 60_000), list: every(500, 60_000), page: every(500, 60_000) }, failed: [] },
    say: () => {},
    ...change,
  });

  test('is judged: writes may be away for 30 s, each kind of read for 2 s', () => {
    expect(judge(seen({}))).toEqual([]);
    expect(judge(seen({ writes: [100, 25_000, 50_000] }))).toEqual([]);
    expect(judge(seen({ writes: [100, 30_200, 50_000] })).map(({ rule }) => rule)).toEqual(['writes']);
    const answered = { book: every(500, 60_000), list: every(2_400, 60_000), page: every(500, 60_000) };
    const found = judge(seen({ reads: { answered, failed: [] } }));
    expect(found.map(({ rule, says }) => [rule, says])).toEqual([['reads', 'a scene: lists away for 2.4 s']]);
  });
});

describe('a cluster that is whole', () => {
  const member = (name: string, role: Member['role'], change: Partial<Member> = {}): Member => ({
    name,
    role,
    state: 'running',
    timeline: 2,
    ...change,
  });
  const whole = [member('a', 'leader'), member('b', 'sync_standby'), member('c', 'replica', { state: 'streaming' })];

  test('has all its nodes on one timeline, one of them synchronous', () => {
    expect(isWhole(whole, 3)).toBe(true);
    expect(isWhole(whole.slice(0, 2), 3)).toBe(false);
    expect(isWhole([...whole.slice(0, 2), member('c', 'replica', { timeline: 1 })], 3)).toBe(false);
    expect(isWhole([...whole.slice(0, 2), member('c', 'replica', { state: 'starting' })], 3)).toBe(false);
    expect(isWhole([member('a', 'leader'), member('b', 'replica'), member('c', 'replica')], 3)).toBe(false);
  });
});

describe('cables', () => {
  let echo: Server;
  let network: Network;
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    network.close();
    echo.close();
  });

  const portOf = (server: Server): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };

  /** A machine `far` that sends back what it hears, and the near end of its cable. */
  const lay = async (): Promise<number> => {
    echo = createServer((socket) => void socket.pipe(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => echo.once('listening', resolve));
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const port = portOf(free);
    await new Promise((resolve) => free.close(resolve));
    network = createNetwork();
    const to = { host: '127.0.0.1', port: portOf(echo) };
    await network.lay({ host: '127.0.0.1', port }, to, ['far'], ['caller']);
    return port;
  };

  const call = (port: number): { say: (text: string) => void; heard: () => string; isClosed: () => boolean } => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let [heard, closed] = ['', false];
    socket.on('data', (chunk) => (heard += String(chunk)));
    socket.on('error', () => {});
    socket.on('close', () => (closed = true));
    return { say: (text) => void socket.write(text), heard: () => heard, isClosed: () => closed };
  };

  test('carry, are silent when cut, and carry what was sent meanwhile when mended', async () => {
    const port = await lay();
    const caller = call(port);
    caller.say('one ');
    await expect.poll(caller.heard).toBe('one ');
    network.cut('far');
    caller.say('two ');
    const late = call(port);
    late.say('late');
    await sleep(200);
    expect([caller.heard(), late.heard(), caller.isClosed(), late.isClosed()]).toEqual(['one ', '', false, false]);
    network.mend('far');
    await expect.poll(caller.heard).toBe('one two ');
    await expect.poll(late.heard).toBe('late');
  });

  test('know who calls by what it says of itself, and cut the caller’s', async () => {
    const port = await lay();
    const [known, other] = [call(port), call(port)];
    known.say('user\0replicator\0application_name\0caller\0\0');
    other.say('user\0dogear\0application_name\0dogear\0\0');
    await expect.poll(() => known.heard().length + other.heard().length).toBeGreaterThan(70);
    network.cut('far', 'caller');
    known.say('?');
    other.say('?');
    await expect.poll(other.heard).toMatch(/\?$/);
    await sleep(100);
    expect(known.heard()).not.toMatch(/\?$/);
    network.restart('far', 'caller');
    await expect.poll(known.isClosed).toBe(true);
    expect([known.heard().endsWith('?'), other.isClosed()]).toEqual([false, false]);
  });

  test('tell nobody that a machine is gone, until it is started anew', async () => {
    const port = await lay();
    network.cut('far');
    echo.close();
    const caller = call(port);
    await sleep(200);
    expect(caller.isClosed()).toBe(false);
    network.restart('far');
    await expect.poll(caller.isClosed).toBe(true);
  });
});
