// npm run cluster:drill: a cluster is put up and broken; see docs/cluster.md.
import { begin } from './bootstrap/begin.mjs';

begin(() => import('./bootstrap/cluster-drill.mjs'));
