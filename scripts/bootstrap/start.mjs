import { build, isBuilt } from './build.mjs';
import { runInForeground } from './child.mjs';
import { ensureInstalled } from './install.mjs';
import { environmentFor, findNode } from './node.mjs';
import { checkPort } from './port.mjs';
import { inProject, withoutStack, withProgress } from './project.mjs';
import { Refusal } from './refusal.mjs';

const buildWeb = async (node) => {
  const { code, output } = await build(node);
  if (code === 0) return;
  if (/ENOSPC|EDQUOT/.test(output)) throw new Refusal('There is no space left on the disk to build the web.');
  console.error(withoutStack(output));
  throw new Refusal('The web could not be built; what the build said stands above.');
};

/** npm start: from a fresh clone to a running shop. */
export const main = async () => {
  await checkPort();
  await ensureInstalled();
  const node = findNode();
  if (!isBuilt()) await withProgress('Building the web', () => buildWeb(node));
  const withParent = inProject('scripts/bootstrap/with-parent.mjs');
  const args = ['--import', withParent, inProject('src/server/main.ts')];
  // What Node compiles it keeps there, and a second start takes a quarter of a second less.
  const cache = process.env.NODE_COMPILE_CACHE ?? inProject('node_modules/.cache/compiled');
  return runInForeground(node, args, environmentFor(node, { NODE_ENV: 'production', NODE_COMPILE_CACHE: cache }));
};
