// npm start: installs, builds and runs the shop.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/start.mjs'));
