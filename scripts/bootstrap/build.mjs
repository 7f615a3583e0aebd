import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './child.mjs';
import { environmentFor } from './node.mjs';
import { commandOf, inProject, readIfThere, root } from './project.mjs';

/** What the built web is made of. Contents decide and not times, which a clone or a checkout sets as it likes. */
const SOURCES = [
  'src/web',
  'src/contract',
  'scripts/build',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
];
const INSTALLED = 'package-lock.json';
const STAMP = 'build/.sources';
const RESULT = 'build/server/index.js';

const filesBelow = (file) => {
  if (!existsSync(file)) return [];
  if (!statSync(file).isDirectory()) return [file];
  return readdirSync(file)
    .sort()
    .flatMap((name) => filesBelow(path.join(file, name)));
};

const fingerprint = () => {
  const hash = createHash('sha256');
  for (const file of [...SOURCES, INSTALLED].flatMap((source) => filesBelow(inProject(source)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
};

/** Whether the built web is that of today's sources. */
export const isBuilt = () => readIfThere(STAMP) === fingerprint() && existsSync(inProject(RESULT));

/** Builds the web with the tools' own output kept back; answers `{ code, output }`. */
export const build = async (node) => {
  const stamp = fingerprint();
  rmSync(inProject(STAMP), { force: true });
  const command = commandOf('@react-router/dev', 'react-router');
  const result = await runQuietly(node, [command, 'build'], environmentFor(node, { NODE_ENV: 'production' }));
  if (result.code === 0) {
    mkdirSync(inProject('build'), { recursive: true });
    writeFileSync(inProject(STAMP), stamp);
  }
  return result;
};
