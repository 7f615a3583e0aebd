import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

export const inProject = (...parts) => path.join(root, ...parts);

/** The text of a file of the project, or undefined when there is none. */
export const readIfThere = (...parts) => {
  try {
    return readFileSync(inProject(...parts), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
};

/** The file behind a command that an installed package brings. */
export const commandOf = (packageName, command) => {
  const { bin } = JSON.parse(readIfThere('node_modules', packageName, 'package.json'));
  return inProject('node_modules', packageName, typeof bin === 'string' ? bin : bin[command]);
};

export const say = (line) => console.log(line);

/** What a tool said, without the lines that only its authors need; DEBUG=1 keeps them. */
export const withoutStack = (output) =>
  process.env.DEBUG === '1' ? output : output.replace(/^\s+at .*\n/gm, '').trimEnd();

/** Says what takes long, and while it does that it still goes on; answers what `work` does. */
export const withProgress = async (line, work) => {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  say(`${line} …`);
  const timer = setInterval(() => say(`  still at it after ${seconds()} s …`), 10_000);
  try {
    const answer = await work();
    say(`  done in ${seconds()} s`);
    return answer;
  } finally {
    clearInterval(timer);
  }
};
