import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import lean from '#scripts/bootstrap/lean.json' with { type: 'json' };
import { withVariables } from '#scripts/environment-table.ts';
import { SECRETS, variables } from '#server/platform/environment.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

test('the table of variables in docs/operating.md is the one that scripts/environment-table.ts writes', async () => {
  expect(variables().length).toBeGreaterThan(30);
  const document = read('docs/operating.md');
  expect(document).toBe(await withVariables(document));
  for (const secret of SECRETS) expect(document).toContain(`\`${secret}\``);
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
