// npm run check: the fast loop, without the browser.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/checks.mjs').then(({ main }) => ({ main: () => main(['--fast']) })));
