// npm run check: the fast loop, without what starts a database, a shop or a browser.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/checks.mjs').then(({ main }) => ({ main: () => main(['--fast']) })));
