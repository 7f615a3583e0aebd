import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { checkPort } from './port.mjs';
import { inProject, readIfThere } from './project.mjs';
import { ensureBuilt } from './web.mjs';

/**
 * How a shop keeps its memory small in a rush and after it, and answers no slower (lab/docs/performance.md, "Memory").
 * The Dockerfile and the systemd unit say the same.
 */
const LEAN = JSON.parse(readIfThere('scripts/bootstrap/lean.json'));

/** npm start: from a fresh clone to a running shop. */
export const main = async () => {
  await checkPort();
  await ensureInstalled();
  const node = findNode();
  await ensureBuilt(node);
  const withParent = inProject('scripts/bootstrap/with-parent.mjs');
  const args = [...LEAN.flags, '--import', withParent, inProject('build/shop/main.js')];
  // What Node compiles it keeps there, and a second start takes a quarter of a second less.
  const cache = process.env.NODE_COMPILE_CACHE ?? inProject('node_modules/.cache/compiled');
  const { DEMO_ORDERS = '1', DEMO_PHOTOS = '1' } = process.env;
  const demo = { DEMO_ORDERS, DEMO_PHOTOS };
  return runInForeground(
    node,
    args,
    environmentFor(node, { ...LEAN.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: cache, ...demo }),
  );
};
