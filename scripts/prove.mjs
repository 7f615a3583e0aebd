// npm run prove: the shop is put to the proof; see docs/proof.md.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/prove.mjs'));
