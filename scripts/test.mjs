// npm test: everything that can be checked, the browser journeys included.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/checks.mjs'));
