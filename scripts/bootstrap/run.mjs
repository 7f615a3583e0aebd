import { existsSync } from 'node:fs';
import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { inProject } from './project.mjs';
import { Refusal } from './refusal.mjs';

/** node scripts/run.mjs NAME …: runs scripts/NAME.ts on the right Node, with everything it needs installed. */
export const main = async ([name = '', ...args]) => {
  const script = inProject('scripts', `${name}.ts`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(script)) throw new Refusal(`There is no script called "${name}".`);
  await ensureInstalled();
  const node = findNode();
  const mode = { NODE_ENV: process.env.NODE_ENV ?? 'production' };
  return runInForeground(node, [script, ...args], environmentFor(node, mode));
};
