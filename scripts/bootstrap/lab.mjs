import { existsSync } from 'node:fs';
import { main as check } from './checks.mjs';
import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { inProject, root } from './project.mjs';
import { Refusal } from './refusal.mjs';
import { ensureBuilt } from './web.mjs';

/** Runs the laboratory's short forms ("test"), or one of its programs, from the folder of the project. */
export const main = async ([name = '', ...args]) => {
  process.chdir(root);
  if (name === 'test') return check(['--lab', ...args]);
  const program = inProject('lab', `${name}.ts`);
  if (!/^[a-z-]+(\/[a-z-]+)?$/.test(name) || !existsSync(program))
    throw new Refusal(`There is no program of the laboratory called "${name}".`);
  await ensureInstalled();
  const node = findNode();
  await ensureBuilt(node);
  return runInForeground(node, [program, ...args], environmentFor(node, { NODE_ENV: 'production' }));
};
