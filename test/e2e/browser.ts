import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the Chromium or Chrome that the journeys drive is spoken to. */
    browserAddress: string;
  }
}

/** Chromium without a window comes first: it does the same pages with a sixth less of the machine. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
/** Where Chromium lies inside each of the folders that Playwright downloads. */
const IN_PLAYWRIGHT_FOLDER = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-headless-shell-linux64/chrome-headless-shell',
  'chrome-linux/headless_shell',
];

const starts = (browser: string): boolean => existsSync(browser) && spawnSync(browser, ['--version']).status === 0;

const installed = (env: NodeJS.ProcessEnv): string[] =>
  (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => COMMANDS.map((command) => path.join(folder, command)));

const fromPlaywright = (env: NodeJS.ProcessEnv): string[] => {
  const folders = [
    env['PLAYWRIGHT_BROWSERS_PATH'] ?? '',
    path.join(homedir(), '.cache/ms-playwright'),
    path.join(homedir(), 'Library/Caches/ms-playwright'),
  ].filter((folder) => existsSync(folder));
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('chromium'))
      // the newest first: the folders end in a build number
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .flatMap((name) => IN_PLAYWRIGHT_FOLDER.map((inside) => path.join(folder, name, inside))),
  );
};

const isDebianAsRoot = (): boolean => process.getuid?.() === 0 && existsSync('/etc/debian_version');

const installOnDebian = (): void => {
  console.log('Installing the package chromium-headless-shell for the browser journeys …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium-headless-shell'], { env, stdio: 'ignore' });
};

/**
 * A Chromium or Chrome of this machine: CHROMIUM_PATH, an installed one, Playwright's own. On Debian, root gets the
 * package installed; elsewhere the error says what to install.
 */
export const findBrowser = (env: NodeJS.ProcessEnv = process.env, install = isDebianAsRoot()): string => {
  const chosen = env['CHROMIUM_PATH'];
  if (chosen) {
    if (starts(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH is ${chosen}, but no browser starts there.`);
  }
  const find = (): string | undefined => [...installed(env), ...MAC_APPS, ...fromPlaywright(env)].find(starts);
  const found = find();
  if (found !== undefined) return found;
  if (install) installOnDebian();
  const now = install ? find() : undefined;
  if (now !== undefined) return now;
  throw new Error('The browser journeys need Chromium or Chrome: install one, or set CHROMIUM_PATH to where it is.');
};

/**
 * Vitest's global setup: one browser for all journeys, quiet towards the outside world: it looks nothing up and updates
 * nothing by itself. Each visitor has a context of their own, as if it were another browser.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await chromium.launchServer({
    executablePath: findBrowser(),
    host: '127.0.0.1',
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  project.provide('browserAddress', server.wsEndpoint());
  return () => server.close();
};

/** The journeys' browser; closing it ends the visits of whoever asked, and not the browser. */
export const launchBrowser = (): Promise<Browser> => chromium.connect(inject('browserAddress'));
