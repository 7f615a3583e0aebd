// npm run prove: the shop is put to the proof; see docs/proof.md.
import { begin } from './bootstrap/begin.mjs';

begin(async () => ({ main: (await import('./bootstrap/shop-script.mjs')).shopScript('scripts/prove.ts') }));
