import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inProject } from './project.mjs';
import { Refusal } from './refusal.mjs';

const NEEDED = 24;

const isNewEnough = (version) => Number(version.replace('v', '').split('.')[0]) >= NEEDED;

/** Node as npm installed it for this system, whether or not it runs here. */
const shipped = () => inProject('node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');

const runs = (node) => {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return status === 0 && isNewEnough(stdout);
};

/** The Node that runs Dogear: the pinned one from npm, or the machine's own if it is new enough. */
export const findNode = () => {
  const pinned = shipped();
  if (process.execPath === pinned) return pinned;
  const there = existsSync(pinned);
  if (there && runs(pinned)) return pinned;
  if (isNewEnough(process.version)) return process.execPath;
  const why = there
    ? `the one from npm does not run on this ${process.platform} ${process.arch}`
    : `npm has none for ${process.platform} ${process.arch}`;
  throw new Refusal(
    `Dogear runs on Node ${NEEDED}, but ${why}, and this is Node ${process.versions.node}: ` +
      `install Node ${NEEDED} or newer and try again.`,
  );
};

/** npm puts the pinned Node before the machine's own; where it cannot run (musl), it must not stand in the way. */
export const removeUnusableNode = () => {
  if (existsSync(shipped()) && !runs(shipped())) rmSync(inProject('node_modules/.bin/node'), { force: true });
};

/** The environment in which `node` means the right one. */
export const environmentFor = (node, extra = {}) => ({
  ...process.env,
  ...extra,
  PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
});
