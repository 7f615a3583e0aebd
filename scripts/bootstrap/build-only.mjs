import { ensureInstalled } from './install.mjs';
import { findNode } from './node.mjs';
import { ensureBuilt } from './web.mjs';

/** npm run build: the first half of npm start. */
export const main = async () => {
  await ensureInstalled();
  await ensureBuilt(findNode());
  return 0;
};
