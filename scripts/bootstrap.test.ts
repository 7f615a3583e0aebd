import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';

/** A project of the same shape with nothing real in it but the scripts, so that each step takes no time. */
let project: string;
const children: ChildProcess[] = [];

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
};
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');

/** An installed package whose command runs `body`. */
const fakeTool = (name: string, command: string, body: string): void => {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, bin: { [command]: 'run.js' } }));
  write(`node_modules/${name}/run.js`, `const fs = require('node:fs');\n${body}`);
};

/** Stands for npm: notes how it was called and leaves behind what npm would. */
const npmThat = (does: string): void => write('npm-cli.js', `const fs = require('node:fs');\n${does}`);
const INSTALLS = `fs.appendFileSync('npm.calls', process.argv.slice(2).join(' ') + '\\n');
  fs.mkdirSync('node_modules', { recursive: true });`;
const BUILDS = `fs.appendFileSync('build.calls', 'x');
  fs.mkdirSync('build/server', { recursive: true }); fs.writeFileSync('build/server/index.js', '');
  fs.mkdirSync('build/shop', { recursive: true }); fs.copyFileSync('src/server/main.ts', 'build/shop/main.js');`;

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'dogear-bootstrap-'));
  cpSync(import.meta.dirname, path.join(project, 'scripts'), { recursive: true });
  write('package.json', '{ "type": "commonjs" }');
  write('package-lock.json', '{ "packages": { "": {} } }');
  write('src/web/root.tsx', 'first');
  write('src/server/main.ts', `console.log('open in', process.env.NODE_ENV); process.exitCode = 7;`);
  npmThat(INSTALLS);
  fakeTool('@react-router/dev', 'react-router', BUILDS);
});

afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(project, { recursive: true, force: true });
});

const launch = async (script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) => {
  const { npm_lifecycle_event: _, ...inherited } = process.env;
  const nodeArgs = env['NODE_ARGS']?.split(' ') ?? [];
  // Both streams through one pipe, as a terminal shows them: in the order they were written.
  const oneStream = ['-c', 'exec "$0" "$@" 2>&1'];
  const child = spawn('sh', [...oneStream, process.execPath, ...nodeArgs, `scripts/${script}.mjs`, ...args], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...inherited, PORT: String(await freePort()), npm_execpath: path.join(project, 'npm-cli.js'), ...env },
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (text: Buffer) => void (output += text.toString()));
  return { child, closed: once(child, 'close').then(([code]) => Number(code)), output: () => output.trim() };
};

const run = async (...what: Parameters<typeof launch>): Promise<{ code: number; output: string }> => {
  const { closed, output } = await launch(...what);
  const code = await closed;
  return { code, output: output() };
};

describe('npm start', () => {
  test('installs, builds and runs the shop, whose exit code is its own', async () => {
    const { code, output } = await run('start');
    expect(output).toMatch(/Installing what is missing[^]*Building the web[^]*open in production$/);
    expect(code).toBe(7);
    expect(read('npm.calls')).toMatch(/^ci .*--include=dev/);
  });

  test('does neither again, until the lock file or a source of the web changes', async () => {
    await run('start');
    expect((await run('start')).output).toBe('open in production');
    write('src/web/root.tsx', 'second');
    expect((await run('start')).output).toMatch(/^Building the web/);
    write('package-lock.json', '{ "packages": { "": {} }, "changed": true }');
    expect((await run('start')).output).toMatch(/^Installing/);
    expect(read('npm.calls').trim().split('\n')).toHaveLength(2);
    expect((await run('start')).output).toBe('open in production');
  });

  test('leaves alone what somebody installed by hand', async () => {
    const packages = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } };
    const others = { 'node_modules/b': { version: '1.0.0', optional: true, os: ['another'] } };
    write('package-lock.json', JSON.stringify({ packages: { '': {}, ...packages, ...others } }));
    write('node_modules/.package-lock.json', JSON.stringify({ packages }));
    expect((await run('start')).output).not.toContain('Installing');
    write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '2.0.0' } } }));
    rmSync(path.join(project, 'node_modules/.dogear-installed'));
    expect((await run('start')).output).toContain('Installing');
  });

  test.each([
    ['npm error code ENOTFOUND', 'npm cannot reach its registry (is there a network?)'],
    ['npm error code ENOSPC', 'there is no space left on the disk'],
    ['npm error code EUSAGE', 'package-lock.json does not fit package.json'],
    ['npm error code EWHATEVER\nnpm error the moon is full', 'the moon is full'],
  ])('says in a sentence why npm failed: %s', async (said, sentence) => {
    npmThat(`console.error(${JSON.stringify(said)}); process.exit(1);`);
    const { code, output } = await run('start');
    expect(output.split('\n').at(-1)).toBe(`Dogear could not be installed: ${sentence}.`);
    expect(code).toBe(1);
    npmThat(INSTALLS);
    expect((await run('start')).output).toContain('Installing');
  });

  test('notices when npm silently leaves out what this system needs', async () => {
    const name = `node-${process.platform}-${process.arch}`;
    write('package-lock.json', JSON.stringify({ packages: { [`node_modules/${name}`]: { optional: true } } }));
    const { code, output } = await run('start');
    expect(output).toContain(`npm left out ${name}`);
    expect(code).toBe(1);
  });

  test('passes over a pinned Node that this system cannot run, and takes it out of the way', async () => {
    const folder = `node_modules/node-${process.platform}-${process.arch}`;
    write(`${folder}/bin/node`, '#!/no/such/loader\n');
    write('node_modules/.bin/node', 'link');
    const { output } = await run('start');
    expect(output).toMatch(/open in production$/);
    expect(existsSync(path.join(project, 'node_modules/.bin/node'))).toBe(false);
  });

  test('says so when a build fails, and builds again the next time', async () => {
    fakeTool(
      '@react-router/dev',
      'react-router',
      `console.error('no such page\\n    at deep (file.js:1:1)'); process.exit(1);`,
    );
    const { code, output } = await run('start');
    expect(output).toMatch(/no such page\nThe web could not be built/);
    expect(output).not.toContain('at deep');
    expect(code).toBe(1);
    fakeTool('@react-router/dev', 'react-router', BUILDS);
    expect((await run('start')).output).toMatch(/open in production$/);
  });

  test('refuses a port that is none or is taken, before anything else', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = String(typeof address === 'object' && address !== null ? address.port : 0);
    const inUse = await run('start', [], { PORT: port });
    taken.close();
    expect(inUse).toMatchObject({ code: 1, output: expect.stringMatching(`^Port ${port} is in use, .*\\.$`) });
    const none = await run('start', [], { PORT: 'http' });
    expect(none).toEqual({ code: 1, output: 'PORT is "http", but must be a whole number from 1 to 65535.' });
    expect(existsSync(path.join(project, 'npm.calls'))).toBe(false);
  });

  test('tells a Node that is too old', async () => {
    const old = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"18.20.0"})';
    const { code, output } = await run('start', [], { NODE_ARGS: `--import ${old}` });
    expect(output).toMatch(/^Dogear needs Node 20 or newer with npm, and this is Node 18\.20\.0: .*$/);
    expect(code).toBe(1);
  });

  test('passes Ctrl-C on, and waits until the shop has closed', async () => {
    write(
      'src/server/main.ts',
      `process.on('SIGINT', () => { console.log('closed in good order'); process.exit(0); });
      console.log('open'); setInterval(() => {}, 1e6);`,
    );
    const { child, closed, output } = await launch('start');
    await expect.poll(output).toMatch(/open$/);
    child.kill('SIGINT');
    expect(await closed).toBe(0);
    expect(output()).toMatch(/closed in good order$/);
  });

  test('does not leave the shop behind when it is killed itself', async () => {
    write(
      'src/server/main.ts',
      `process.on('SIGTERM', () => { require('node:fs').writeFileSync('closed', ''); process.exit(0); });
      console.log('open'); setInterval(() => {}, 1e6);`,
    );
    const { child, output } = await launch('start');
    await expect.poll(output).toMatch(/open$/);
    child.kill('SIGKILL');
    await expect.poll(() => existsSync(path.join(project, 'closed'))).toBe(true);
  });
});

describe('npm test', () => {
  const vitestThat = (passed: number, failed: number, skipped: number): void => {
    const results = { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, testResults: [] };
    const record = `process.argv.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1]`;
    fakeTool(
      'vitest',
      'vitest',
      `fs.writeFileSync(${record}, '${JSON.stringify(results)}'); process.exitCode = ${failed > 0 ? 1 : 0};`,
    );
  };
  beforeEach(() => {
    for (const [name, command] of [
      ['oxlint', 'oxlint'],
      ['typescript', 'tsc'],
      ['oxfmt', 'oxfmt'],
    ] as const) {
      fakeTool(name, command, '');
    }
    vitestThat(10, 0, 0);
  });

  test('counts lint, types, formatting and build as one each, and every test of both kinds', async () => {
    const { code, output } = await run('test');
    expect(output.split('\n').at(-1)).toBe('24 passed, 0 failed');
    expect(output).toMatch(/^browser journeys: passed in \d+\.\d s$/m);
    expect(code).toBe(0);
  });

  test('goes on after a failure, shows it, and fails in the end', async () => {
    fakeTool('oxlint', 'oxlint', `console.log('a wall was climbed'); process.exit(1);`);
    vitestThat(8, 2, 1);
    const { code, output } = await run('test');
    expect(output).toContain('a wall was climbed');
    expect(output.split('\n').at(-1)).toBe('19 passed, 5 failed, 2 skipped');
    expect(code).toBe(1);
  });

  test('tests that could not be run are a failure, and so are journeys without a build', async () => {
    fakeTool('vitest', 'vitest', 'process.exit(1);');
    fakeTool('@react-router/dev', 'react-router', `if (process.argv[2] === 'build') process.exit(1);`);
    const { code, output } = await run('test');
    expect(output.split('\n').at(-1)).toBe('3 passed, 3 failed');
    expect(code).toBe(1);
  });

  test('npm run check leaves out the browser', async () => {
    const { code, output } = await run('check');
    // Outside of a checkout there are no subjects of commits to look at.
    expect(output.split('\n').at(-1)).toBe('14 passed, 0 failed, 1 skipped');
    expect(output).not.toContain('browser journeys');
    expect(code).toBe(0);
  });

  test('runs every step once', async () => {
    const { output } = await run('test');
    const names = [...output.matchAll(/^(.+): passed in/gm)].map(([, name]) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('node scripts/run.mjs', () => {
  test('installs if needed, and runs a script with its arguments', async () => {
    write('scripts/greet.ts', `console.log('hello', process.argv.slice(2).join('+')); process.exitCode = 3;`);
    const { code, output } = await run('run', ['greet', 'a', '--b']);
    expect(output).toMatch(/^Installing[^]*hello a\+--b$/);
    expect(code).toBe(3);
  });

  test('says when there is none of that name', async () => {
    expect(await run('run', ['../start'])).toEqual({ code: 1, output: 'There is no script called "../start".' });
  });
});
