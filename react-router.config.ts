import path from 'node:path';
import type { Config } from '@react-router/dev/config';
import { precompress } from './scripts/build/precompress.ts';
import { bundleShop } from './scripts/build/shop.ts';

export default {
  appDirectory: 'src/web',
  buildDirectory: 'build',
  ssr: true,
  // A page's loader and component are a few kilobytes: one file each loads sooner than three.
  splitRouteModules: false,
  // All addresses are known from the first page on: a dozen routes weigh less than a call to discover them.
  routeDiscovery: { mode: 'initial' },
  buildEnd: async ({ reactRouterConfig: { buildDirectory } }) => {
    // Pages that are only looked at once (lab/removals) need no more.
    if (process.env['BUILD_PAGES_ONLY'] === '1') return;
    await precompress(path.join(buildDirectory, 'client'));
    await bundleShop(path.join(buildDirectory, 'shop'));
  },
} satisfies Config;
