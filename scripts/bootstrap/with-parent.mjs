// Loaded into the shop by the script that started it: if that one is killed, the shop stops in good order instead of
// running on with nobody to stop it.
import { isMainThread } from 'node:worker_threads';
import { whenOrphaned } from './parent.mjs';

if (isMainThread) whenOrphaned(() => process.kill(process.pid, 'SIGTERM'));
