// npm run drill:NAME: a drill of docs/operating.md.
import { begin } from './bootstrap/begin.mjs';

begin(async () => ({ main: (await import('./bootstrap/shop-script.mjs')).shopScript('scripts/drill.ts') }));
