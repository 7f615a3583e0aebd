// npm run NAME -w lab: runs lab/NAME.ts on the right Node, with everything it needs installed and the shop built.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/lab.mjs'));
