import { build, isBuilt } from './build.mjs';
import { withoutStack, withProgress } from './project.mjs';
import { Refusal } from './refusal.mjs';

const buildWeb = async (node) => {
  const { code, output } = await build(node);
  if (code === 0) return;
  if (/ENOSPC|EDQUOT/.test(output)) throw new Refusal('There is no space left on the disk to build the web.');
  console.error(withoutStack(output));
  throw new Refusal('The web could not be built; what the build said stands above.');
};

/** Builds the web unless what is built is of today's sources. */
export const ensureBuilt = async (node) => {
  if (!isBuilt()) await withProgress('Building the web', () => buildWeb(node));
};
