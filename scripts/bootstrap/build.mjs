import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './child.mjs';
import { environmentFor } from './node.mjs';
import { commandOf, inProject, readIfThere, root } from './project.mjs';

/** What is built is made of these. Contents decide and not times, which a clone or a checkout sets as it likes. */
const SOURCES = ['src', 'db/seed', 'scripts/build', 'vite.config.ts', 'react-router.config.ts', 'tsconfig.json'];
const INSTALLED = 'package-lock.json';
const STAMP = 'build/.sources';
const RESULTS = ['build/server/index.js', 'build/shop/main.js'];

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

/** Whether what is built is of today's sources. */
export const isBuilt = () =>
  readIfThere(STAMP) === fingerprint() && RESULTS.every((file) => existsSync(inProject(file)));

/** Builds the web and the server with the tools' own output kept back; answers `{ code, output }`. */
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
