import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const run = promisify(execFile);

/** One import a room must never have, for every rule of scripts/lint/rooms.js. */
const FORBIDDEN: [file: string, imported: string, sentence: string][] = [
  ['src/web/shell/a.ts', '../ui/button.tsx', 'hides which room is entered'],
  ['src/server/catalog/a.ts', './../payments/settle.service.ts', 'hides which room is entered'],
  ['src/server/bookings/a.ts', '#lab/proofs/crowd/people.ts', 'The laboratory stands beside the shop'],
  ['src/server/catalog/stock/a.ts', '#db/seed/fixtures.ts', 'A stock file lists what the seller says'],
  ['src/contract/a.ts', 'node:fs', 'The contract is pure data'],
  ['src/contract/a.ts', '#server/app.ts', 'The contract is pure data'],
  ['src/server/platform/a.ts', '#server/catalog/listing.service.ts', 'Platform knows no domain'],
  ['src/server/platform/a.ts', '#server/http/serve.ts', 'Platform knows no domain'],
  ['src/server/http/a.ts', '#server/identity/identity.service.ts', 'http speaks HTTP and knows no module'],
  ['src/server/identity/a.ts', '#server/catalog/listing.service.ts', 'Arrows between modules point one way'],
  ['src/server/catalog/a.ts', '#server/bookings/booking.service.ts', 'Arrows between modules point one way'],
  ['src/server/bookings/a.ts', '#server/payments/settle.service.ts', 'Arrows between modules point one way'],
  ['src/server/bookings/a.ts', '#server/ledger/ledger.service.ts', 'Arrows between modules point one way'],
  ['src/server/bookings/a.ts', '#server/catalog/listing.queries.ts', 'entered by its door'],
  ['src/server/payments/a.ts', '#standins/stripe/standin.ts', 'neither the web nor the stand-ins'],
  ['src/server/catalog/a.service.ts', 'fastify', 'A service knows no HTTP'],
  ['src/server/catalog/a.service.ts', '#server/http/serve.ts', 'A service knows no HTTP'],
  ['src/server/catalog/a.queries.ts', './listing.service.ts', 'A query is one SQL statement'],
  ['src/server/catalog/a.policy.ts', 'kysely', 'A policy is pure'],
  ['src/server/catalog/a.routes.ts', 'kysely', 'A route is an endpoint'],
  ['src/server/catalog/a.routes.ts', './listing.queries.ts', 'A route is an endpoint'],
  ['src/server/catalog/a.routes.ts', '#server/identity/identity.service.ts', 'A route is an endpoint'],
  ['src/web/ui/a.tsx', '#web/api/call.ts', 'ui holds parts without a domain word'],
  ['src/web/ui/a.tsx', '#contract/catalog.ts', 'ui holds parts without a domain word'],
  ['src/web/api/a.ts', 'react', 'web/api is the typed client'],
  ['src/web/shell/a.tsx', '#web/storefront/home.tsx', 'The shell surrounds every area'],
  ['src/web/buying/a.tsx', '#web/selling/add-product.tsx', 'no other area, no server'],
  ['src/web/buying/a.tsx', '#server/app.ts', 'no other area, no server'],
  ['src/web/root.tsx', '#server/app.ts', 'meets the server through the API only'],
  ['src/standins/stripe/a.ts', '#contract/money.ts', 'plays an outside service'],
];

let folder: string;

/** Files of a project that has our rules and nothing else; all are linted in one go. */
const probes = new Map<string, string>();
const found = new Map<string, string>();

/** Puts `text` into a file of the project, under a number where it is called `a`; answers what the lint says of it. */
const probe = (file: string, text: string): (() => string) => {
  const numbered = file.replace('/a.', `/a${probes.size}.`);
  probes.set(numbered, text);
  return () => found.get(numbered) ?? '';
};

interface Finding {
  readonly filename: string;
  readonly code: string;
  readonly message: string;
}

const lint = async (): Promise<Finding[]> => {
  const oxlint = path.join(root, 'node_modules/oxlint/bin/oxlint');
  const options = { cwd: folder, maxBuffer: 2 ** 24 };
  const { stdout } = await run(process.execPath, [oxlint, '--format=json', 'src'], options).catch(
    (failure: { stdout: string }) => failure,
  );
  const answer = JSON.parse(stdout) as { diagnostics: Finding[]; number_of_files: number };
  // What is not looked at would seem to be allowed.
  expect(answer.number_of_files).toBe(probes.size);
  return answer.diagnostics;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-walls-'));
  await copyFile(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  await mkdir(path.join(folder, 'scripts/lint'), { recursive: true });
  for (const name of await readdir(path.join(root, 'scripts/lint'))) {
    await copyFile(path.join(root, 'scripts/lint', name), path.join(folder, 'scripts/lint', name));
  }
  await copyFile(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [file, text] of probes) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  for (const { filename, code, message } of await lint())
    found.set(filename, `${found.get(filename) ?? ''}${code} ${message}\n`);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(
  FORBIDDEN.map(([file, imported, sentence]) => {
    const said = probe(file, `import * as it from '${imported}';\nexport const kept = it;\n`);
    return { file, imported, sentence, said };
  }),
)('$file must not import $imported', ({ sentence, said }) => expect(said()).toContain(sentence));

const allowedImport = probe(
  'src/server/bookings/a.service.ts',
  "import { z } from '#server/catalog/listings/listing.service.ts';\nexport const kept = z;\n",
);

test('what the rooms may import passes', () => expect(allowedImport()).not.toContain('dogear(walls)'));

const written = (file: string, text: string) => ({ file, text, said: probe(file, `export const kept = ${text};\n`) });

test.each([
  written('src/web/buying/a.tsx', 'new Date().toLocaleTimeString()'),
  written('src/web/shell/a.ts', '(1).toLocaleString()'),
  written('src/server/mail/a.ts', 'new Intl.DateTimeFormat()'),
  written('src/contract/a.ts', "Intl['NumberFormat']('en')"),
])('$file must not write $text its own way', ({ said }) => expect(said()).toContain('read alike everywhere'));

test.each([
  written('src/contract/time.ts', 'new Intl.NumberFormat()'),
  written('src/contract/money/money.ts', 'new Intl.NumberFormat()'),
  written('src/standins/stripe/a.ts', 'new Intl.NumberFormat()'),
  written('src/web/buying/a.test.ts', 'new Intl.NumberFormat()'),
])('$file may write by a locale', ({ said }) => expect(said()).not.toContain('dogear(writing)'));

test.each([
  written('src/server/bookings/a.queries.ts', "'SELECT now() + $1'"),
  written('src/server/payments/a.queries.ts', '`expires_at < NOW () - ${1}`'),
  written('src/server/orders/a.queries.ts', '`SELECT clock_timestamp()`'),
  written('src/server/payouts/a.queries.ts', "'due_at <= CURRENT_TIMESTAMP'"),
])('$file must not ask for the present by $text', ({ said }) => expect(said()).toContain('Say shop_now()'));

test.each([
  written('src/server/bookings/a.queries.ts', "'due_at <= shop_now()'"),
  written('src/server/bookings/a.test.ts', "'SELECT now()'"),
  written('src/server/identity/a.queries.ts', "'expires_at > now()'"),
])('$file may ask for the present by $text', ({ said }) => expect(said()).not.toContain('dogear(clocks)'));

const tooLong = probe('src/contract/a.ts', 'export {};\n'.repeat(401));
const longEnough = probe('src/contract/a.ts', 'export {};\n'.repeat(400));

test('a file of more than 400 lines fails', () => {
  expect(tooLong()).toContain('max-lines');
  expect(longEnough()).not.toContain('max-lines');
});

/** Tests and numbered files are not counted. */
const isCode = (name: string): boolean =>
  /\.(ts|tsx|mjs|js)$/.test(name) && !/\.(test|e2e)\./.test(name) && !/^\d/.test(name);

test('no folder holds more than 20 files of code', async () => {
  const counts = new Map<string, number>();
  for (const room of ['src', 'db', 'scripts', 'test', 'lab'])
    for (const file of await readdir(path.join(root, room), { recursive: true })) {
      if (!isCode(path.basename(file))) continue;
      const inside = path.join(room, path.dirname(file));
      counts.set(inside, (counts.get(inside) ?? 0) + 1);
    }
  expect(counts.size).toBeGreaterThan(100);
  expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
});

test('every rule of the rooms has a forbidden import here', async () => {
  const rooms = await readFile(path.join(root, 'scripts/lint/rooms.js'), 'utf8');
  const sentences = [...rooms.matchAll(/because: '([^']+)'/g)].map((match) => match[1] ?? '');
  const untested = sentences.filter((sentence) => !FORBIDDEN.some(([, , part]) => sentence.includes(part)));
  expect(untested).toEqual([]);
});
