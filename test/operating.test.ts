import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import lean from '#scripts/bootstrap/lean.json' with { type: 'json' };
import { SECRETS } from '#server/platform/secret-files.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const PLATFORM = 'src/server/platform';

test('docs/operating.md lists every variable that the configuration reads', () => {
  const sources = readdirSync(path.join(root, PLATFORM)).filter((name) => name.endsWith('config.ts'));
  const code = sources.map((name) => read(`${PLATFORM}/${name}`)).join('\n');
  // Every name in quotes that is written like a variable; what it is built of (`${name}_CLIENT_ID`) is named in full among the secrets.
  const names = new Set([...code.matchAll(/'([A-Z]+(?:_[A-Z]+)+|PORT|HOST|WORKERS)'/g)].map(([, name = '']) => name));
  for (const secret of SECRETS) names.add(secret);
  expect(names.size).toBeGreaterThan(30);
  const listed = new Set([...read('docs/operating.md').matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, name]) => name));
  expect([...names].filter((name) => !listed.has(name))).toEqual([]);
});

test('every alert has a line that says what to do', () => {
  const alerts = [...read('ops/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(alerts.length).toBeGreaterThan(10);
  const doc = read('docs/operating.md');
  for (const name of alerts) {
    expect(doc).toContain(`<a id="${name.toLowerCase()}"></a>\`${name}\``);
    expect(read('ops/alerts.yml')).toContain(`runbook: docs/operating.md#${name.toLowerCase()}\n`);
  }
});

test('what the image is made of is there, and what it runs is not left out', () => {
  const image = read('Dockerfile');
  const copied = [...image.matchAll(/^COPY --from=build ((?:\/app\/\S+ )+)/gm)].flatMap(([, list = '']) =>
    list.trim().split(' '),
  );
  const ignored = new Set(read('.dockerignore').split('\n'));
  for (const source of copied.map((place) => place.replace('/app/', ''))) {
    if (['node_modules', 'build'].includes(source)) continue;
    expect(() => readdirSync(path.join(root, path.dirname(source)))).not.toThrow();
    expect(ignored.has(source), source).toBe(false);
  }
  expect(image).toMatch(/^USER node$/m);
});

test('containers and services keep their memory as small as npm start does', () => {
  const [image, unit] = [read('Dockerfile'), read('ops/dogear.service')];
  expect(image).toContain(`CMD ${JSON.stringify(['node', ...lean.flags, 'build/shop/main.js']).replaceAll(',', ', ')}`);
  expect(unit).toContain(`/node ${lean.flags.join(' ')} build/shop/main.js\n`);
  for (const [name, value] of Object.entries(lean.env)) {
    expect(image).toContain(`    ${name}=${value}`);
    expect(unit).toMatch(new RegExp(`^Environment=.*\\b${name}=${value}\\b`, 'm'));
  }
});
