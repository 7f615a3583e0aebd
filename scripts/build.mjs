// npm run build: installs and builds as npm start does, and starts nothing.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/build-only.mjs'));
