// node scripts/run.mjs NAME …: runs scripts/NAME.ts.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/run.mjs'));
