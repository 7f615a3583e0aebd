import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { inProject } from './project.mjs';
import { ensureBuilt } from './web.mjs';

/** npm run prove: scripts/prove.ts, which runs the shop as it is run for people, its pages included. */
export const main = async (args) => {
  await ensureInstalled();
  const node = findNode();
  await ensureBuilt(node);
  return runInForeground(
    node,
    [inProject('scripts/prove.ts'), ...args],
    environmentFor(node, { NODE_ENV: 'production' }),
  );
};
