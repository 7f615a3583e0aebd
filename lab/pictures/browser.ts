import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const SYSTEM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** A Chromium of this machine: CHROMIUM_PATH, an installed one, Playwright's own. */
export const launchChromium = (): Promise<Browser> => {
  const executablePath = process.env['CHROMIUM_PATH'] ?? SYSTEM.find((file) => existsSync(file));
  // Root has no sandbox; everywhere else the browser keeps its own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ ...(executablePath !== undefined && { executablePath }), args });
};
