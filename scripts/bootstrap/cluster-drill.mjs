import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { inProject } from './project.mjs';
import { ensureBuilt } from './web.mjs';

/** npm run cluster:drill: scripts/cluster-drill.ts, which looks first whether it can be run at all, before anything is built for it. */
export const main = async (args) => {
  await ensureInstalled();
  const node = findNode();
  const run = (...more) =>
    runInForeground(
      node,
      [inProject('scripts/cluster-drill.ts'), ...more],
      environmentFor(node, { NODE_ENV: 'production' }),
    );
  const code = await run('--look', ...args);
  if (code !== 0 || args.includes('--help')) return code;
  await ensureBuilt(node);
  return run(...args);
};
