import cluster from 'node:cluster';
import { openHttpServer, type ShutdownMode } from './http-server.ts';
import { readConfig, type Config } from './platform/config.ts';
import { codeOf } from './platform/errors.ts';
import { openTracing } from './platform/tracing.ts';
import { INFRASTRUCTURE_VARIABLE, type FromWorker } from './workers.ts';

/** A worker with fewer could not answer while one of its connections is busy. */
const FEWEST_CONNECTIONS = 2;

/** What is bounded for the whole shop, divided among its workers. */
const shareOf = (config: Config): Config => ({
  ...config,
  databaseConnections: Math.max(FEWEST_CONNECTIONS, Math.floor(config.databaseConnections / config.workers)),
  cacheBytes: Math.floor(config.cacheBytes / config.workers),
});

const send = (message: FromWorker, sent = (): void => {}): void => void process.send?.(message, sent);

const resources = new AsyncDisposableStack();
let mode: ShutdownMode = 'quick';
let isClosing = false;

const close = async (asked: ShutdownMode): Promise<void> => {
  if (isClosing) return;
  isClosing = true;
  mode = asked;
  await resources.disposeAsync().catch(() => {});
  // Leaves once the primary has answered: connections that it still sent here were refused before and go to another
  // worker.
  process.once('disconnect', () => process.exit(0));
  cluster.worker?.disconnect();
};
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void close('quick'));
process.on('SIGTERM', () => void close('patient'));

try {
  const config = shareOf(readConfig(process.env));
  resources.defer(await openTracing(config.traces));
  const server = await openHttpServer(config, JSON.parse(process.env[INFRASTRUCTURE_VARIABLE] ?? ''), resources);
  resources.defer(async () => void (await server.close(mode)));
  process.on('message', () => {
    void server.collect().then(([metrics = []]) => send({ kind: 'measured', metrics }));
  });
  await server.warmUp();
  await server.listen();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  send({ kind: 'failed', message, code: codeOf(error) }, () => process.exit(1));
}
