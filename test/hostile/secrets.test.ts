import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '#contract/users/identity.ts';
import { ConfigError, readConfig } from '#server/platform/config.ts';
import { logOptions, redacted } from '#server/platform/log.ts';
import { SECRETS } from '#server/platform/environment.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, aSeller, PASSWORD } from '#test/make.ts';
import { aSale, GOOD_CARD } from '#test/deal.ts';
import { exchange } from './socket.ts';

const root = path.join(import.meta.dirname, '../..');
/** What each secret looks like here, and nothing else does. */
const canary = (name: string): string => `canary${name.toLowerCase().replaceAll('_', '')}`;

const GOOD: Record<string, string> = {
  DATABASE_URL: `postgres://app:${canary('DATABASE_URL')}@127.0.0.1:1/none`,
  DATABASE_MIGRATE_URL: `postgres://owner:${canary('DATABASE_MIGRATE_URL')}@127.0.0.1:1/none`,
  DATABASE_REPLICA_URLS: `postgres://app:${canary('DATABASE_REPLICA_URLS')}@127.0.0.1:1/none`,
  STRIPE_SECRET_KEY: `sk_test_${canary('STRIPE_SECRET_KEY')}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${canary('STRIPE_WEBHOOK_SECRET')}`,
  STRIPE_CONNECT_WEBHOOK_SECRET: `whsec_${canary('STRIPE_CONNECT_WEBHOOK_SECRET')}`,
  SMTP_URL: `smtps://shop:${canary('SMTP_URL')}@mail.example`,
  PAYOUT_DETAILS_KEY: `${canary('PAYOUT_DETAILS_KEY').padEnd(43, 'A')}=`,
  GOOGLE_CLIENT_SECRET: canary('GOOGLE_CLIENT_SECRET'),
  GITHUB_CLIENT_SECRET: canary('GITHUB_CLIENT_SECRET'),
  PHOTO_S3_SECRET: canary('PHOTO_S3_SECRET'),
};
const OPEN = {
  DOGEAR_MODE: 'production',
  PUBLIC_URL: 'https://books.example',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  GOOGLE_CLIENT_ID: 'google',
  GITHUB_CLIENT_ID: 'github',
  PHOTO_S3_KEY_ID: 'photos',
};
const CANARIES = SECRETS.map(canary);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-secrets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fileOf = async (name: string, content: string): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('a secret', () => {
  test('may stand in a file, each by the name of its variable and _FILE', async () => {
    const files = await Promise.all(
      SECRETS.map(async (name) => [`${name}_FILE`, await fileOf(name, `${GOOD[name]}\n`)] as const),
    );
    const byFiles = readConfig({ ...OPEN, ...Object.fromEntries(files) });
    expect(byFiles).toEqual(readConfig({ ...OPEN, ...GOOD }));
    expect(byFiles.stripe?.secretKey).toBe(GOOD['STRIPE_SECRET_KEY']);
  });

  test('in a file that is missing, empty, or there beside the variable is told by its name alone', async () => {
    const given = await fileOf('given', 'sk_test_other');
    const problems = problemsOf({
      ...OPEN,
      ...GOOD,
      STRIPE_SECRET_KEY_FILE: given,
      SMTP_URL: '',
      SMTP_URL_FILE: path.join(folder, 'not-there'),
      DATABASE_URL: '',
      DATABASE_URL_FILE: await fileOf('empty', ' \n'),
    }).join('\n');
    expect(problems).toContain('Both STRIPE_SECRET_KEY and STRIPE_SECRET_KEY_FILE are given');
    expect(problems).toMatch(/SMTP_URL_FILE names .*not-there, which cannot be read \(ENOENT\)/);
    expect(problems).toMatch(/DATABASE_URL_FILE names .*empty, which is empty/);
    for (const secret of [...CANARIES, 'sk_test_other']) expect(problems).not.toContain(secret);
  });

  test.each(SECRETS)('%s that is wrong is not told back', (name) => {
    const wrong = problemsOf({ ...OPEN, ...GOOD, [name]: `nonsense ${canary(name)}` }).join('\n');
    expect(wrong).not.toContain(canary(name));
  });

  test('is in nothing that a shop prints which cannot open', async () => {
    for (const env of [GOOD, { ...GOOD, DATABASE_URL: `postgres://x:${canary('DATABASE_URL')}@[bad/none` }]) {
      const child = spawn(process.execPath, [path.join(root, 'src/server/main.ts')], {
        cwd: root,
        env: { PATH: process.env['PATH'] ?? '', ...OPEN, ...env, LOG_LEVEL: 'trace', DEBUG: '1' },
      });
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
      const [code] = await once(child, 'close');
      expect(code).toBe(1);
      expect(printed).not.toBe('');
      for (const secret of CANARIES) expect(printed).not.toContain(secret);
    }
  });

  test('is in no file that a browser gets', async () => {
    // What only the server reads has no way there: names of such variables, and its modules.
    const client = path.join(root, 'build/client');
    const files = await readdir(client, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files
        .filter((file) => file.isFile() && /\.(js|css|html|json|txt|webmanifest)$/.test(file.name))
        .map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')),
    );
    expect(texts.length).toBeGreaterThan(20);
    const names = [...SECRETS, 'process.env', 'private_jwk', 'whsec_', 'sk_test_', 'sk_live_'];
    for (const text of texts) for (const name of names) expect(text).not.toContain(name);
    expect(files.filter(({ name }) => name.endsWith('.map'))).toEqual([]);
  });
});

describe('the log', () => {
  const lines: string[] = [];
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp({ web: true, env: { LOG_LEVEL: 'trace' }, writeLog: (line) => void lines.push(line) });
  });
  afterAll(() => t.close());

  const entries = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  test('has one JSON object a line, with UTC time, request id, path, status, and the id of whoever is signed in', async () => {
    const buyer = await aBuyer(t);
    lines.length = 0;
    await t.send('GET', `/api/users/buyer/${encodeURIComponent(buyer.email)}?email=${buyer.email}`, { as: buyer });
    await t.call(signIn, { body: { email: buyer.email, password: 'Wrong#Horse' } });
    await t.send('GET', '/api/users', {});
    const ended = entries().filter(({ msg }) => msg === 'request completed');
    expect(ended.map(({ res, userId }) => [(res as { statusCode: number }).statusCode, userId])).toEqual([
      [200, buyer.id],
      [401, undefined],
      [401, undefined],
    ]);
    expect(ended.map(({ req }) => req)).toEqual([
      { method: 'GET', path: '/api/users/buyer/[address]' },
      { method: 'POST', path: '/api/auth/sign-in' },
      { method: 'GET', path: '/api/users' },
    ]);
    for (const entry of [...ended, ...ended]) {
      expect(entry['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(entry['reqId']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('holds no password, token, cookie, card or address, whatever happens', async () => {
    lines.length = 0;
    const [buyer, seller] = [await aBuyer(t), await aSeller(t)];
    await aSale(t, { buyer, seller });
    await t.send('POST', '/api/auth/forgot', { body: { email: buyer.email } });
    await t.mailTo(buyer.email);
    // A failure in the database, whose error carries the row.
    await t.db.schema.alterTable('users').renameTo('users_away').execute();
    await t.send('POST', '/api/auth/sign-up', { body: { name: 'Ada', email: buyer.email, password: PASSWORD } });
    await t.db.schema.alterTable('users_away').renameTo('users').execute();
    await t.send('POST', '/api/csp-reports', {
      headers: { 'content-type': 'application/csp-report' },
      body: JSON.stringify({ 'csp-report': { 'document-uri': `https://books.example/x?email=${buyer.email}` } }),
    });
    const log = lines.join('');
    expect(log).toContain('a defect');
    const secrets = [PASSWORD, buyer.accessToken, buyer.cookie, buyer.cookie.split('=')[1] ?? '', GOOD_CARD];
    for (const secret of [...secrets, buyer.email, seller.email, encodeURIComponent(buyer.email)]) {
      expect(log).not.toContain(secret);
    }
    expect(log).not.toMatch(/"authorization"|"cookie"|"detail"|remoteAddress/);
  });

  test('keeps two kilobytes of a report that a page policy was violated, and counts the rest', async () => {
    lines.length = 0;
    const send = (body: string) =>
      t.send('POST', '/api/csp-reports', { headers: { 'content-type': 'application/reports+json' }, body });
    for (const report of [`${'a'.repeat(31_000)}`, '"'.repeat(31_000), '\u0001'.repeat(31_000), 'é'.repeat(15_000)]) {
      expect((await send(report)).statusCode).toBe(204);
    }
    const logged = entries().filter(({ msg }) => msg === 'a page policy was violated');
    expect(logged.map(({ leftOutBytes }) => Number(leftOutBytes) >= 28_000)).toEqual([true, true, true, true]);
    const longest = Math.max(...lines.map((line) => Buffer.byteLength(line)));
    expect(longest).toBeLessThan(3_000);
    expect((await send('x'.repeat(40_000))).statusCode).toBe(413);
  });

  test('cannot be given a forged line, nor words to a terminal', async () => {
    lines.length = 0;
    const url = await t.listen();
    const forged = '{"level":50,"msg":"forged"}';
    const { host } = new URL(url);
    const report = JSON.stringify({ 'csp-report': `x\r\n${forged}\r\n\u001b[2J \u009b2J \u2028` });
    await exchange(
      url,
      [
        'POST /api/csp-reports HTTP/1.1',
        `Host: ${host}`,
        'Content-Type: application/csp-report',
        `Content-Length: ${Buffer.byteLength(report)}`,
        'Connection: close',
        '',
        Buffer.from(report).toString('latin1'),
      ].join('\r\n'),
    );
    await exchange(
      url,
      `GET /%0d%0a${encodeURIComponent(forged)}%1b[31m HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    await t.call(signIn, { body: { email: `a\r\n${forged}@x`, password: '\u001b[31m' } });
    expect(lines.join('')).toContain('a page policy was violated');
    for (const line of lines) {
      expect(line.endsWith('\n')).toBe(true);
      // eslint-disable-next-line no-control-regex
      expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    }
    expect(entries().filter(({ msg }) => msg === 'forged')).toEqual([]);
  });

  test('loses no time over a long line', () => {
    const long = `${'a.'.repeat(200_000)}@${'b'.repeat(200_000)}`;
    expect(redacted(long)).toHaveLength(long.length);
    expect(redacted('mail to ada@books.example failed')).toBe('mail to [address] failed');
    expect(redacted('at file:///x/node_modules/@fastify/swagger/index.js')).toContain('@fastify/swagger');
    expect(redacted('postgres://shop:hunter2@db.example/dogear')).toBe('postgres://[credentials]@db.example/dogear');
    expect(logOptions('info')).toMatchObject({ level: 'info' });
  });
});
