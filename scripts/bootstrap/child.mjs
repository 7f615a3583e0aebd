import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { whenOrphaned } from './parent.mjs';
import { root } from './project.mjs';
import { Refusal } from './refusal.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const run = (command, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, ...options });
    const forward = (signal) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, forward);
    // npm starts us by a shell, and when npm or that shell is killed, nobody tells us.
    if (process.env.npm_lifecycle_event) whenOrphaned(() => forward('SIGTERM'), 2);
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.once('error', (error) => reject(new Refusal(`${command} cannot be run (${error.code}); is it installed?`)));
    child.once('close', (code, signal) => {
      for (const name of SIGNALS) process.off(name, forward);
      resolve({ code: code ?? 128 + constants.signals[signal], output });
    });
  });

/** Runs a command in the foreground, passing signals on; answers its exit code. */
export const runInForeground = async (command, args, env = process.env) => {
  const { code } = await run(command, args, { env, stdio: 'inherit' });
  return code;
};

/** Runs a command and keeps its output; answers `{ code, output }`. */
export const runQuietly = async (command, args, env = process.env) => {
  const result = await run(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Told to stop: nobody wants to hear how the command took it.
  if (result.code === 130 || result.code === 143) process.exit(result.code);
  return result;
};
