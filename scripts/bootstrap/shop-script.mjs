import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { inProject } from './project.mjs';
import { ensureBuilt } from './web.mjs';

/** What starts a script that runs the shop as it is run for people, its pages included: the proof, a drill. */
export const shopScript = (file) => async (args) => {
  await ensureInstalled();
  const node = findNode();
  await ensureBuilt(node);
  return runInForeground(node, [inProject(file), ...args], environmentFor(node, { NODE_ENV: 'production' }));
};
