// npm run dev: the shop with hot reload of web and server.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/dev.mjs'));
