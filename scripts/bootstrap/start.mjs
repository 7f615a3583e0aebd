import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { checkPort } from './port.mjs';
import { inProject } from './project.mjs';
import { ensureBuilt } from './web.mjs';

/** What is thrown away soon is collected sooner: half of the memory after a rush, and no slower (docs/performance.md). */
const LEAN = ['--max-semi-space-size=16'];

/** npm start: from a fresh clone to a running shop. */
export const main = async () => {
  await checkPort();
  await ensureInstalled();
  const node = findNode();
  await ensureBuilt(node);
  const withParent = inProject('scripts/bootstrap/with-parent.mjs');
  const args = [...LEAN, '--import', withParent, inProject('build/shop/main.js')];
  // What Node compiles it keeps there, and a second start takes a quarter of a second less.
  const cache = process.env.NODE_COMPILE_CACHE ?? inProject('node_modules/.cache/compiled');
  return runInForeground(node, args, environmentFor(node, { NODE_ENV: 'production', NODE_COMPILE_CACHE: cache }));
};
