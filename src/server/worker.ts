import { LINGER_MS, type ClosingManner } from './closing.ts';
import { openCounter } from './counter.ts';
import { closerOf, type Steps } from './house.ts';
import { openPayments } from './payment-setup.ts';
import { readConfig, type Config } from './platform/config.ts';
import { openTracing } from './platform/tracing.ts';
import { openSocial } from './social-setup.ts';
import { HOUSE_VARIABLE, type FromWorker, type HouseForWorkers, type ToWorker } from './worker-words.ts';

/** A worker with fewer could not answer while one of its connections is busy. */
const FEWEST_CONNECTIONS = 2;

/** Who does not answer a worker's last word has gone itself. */
const FAREWELL_LIMIT_MS = 1_000;

/** What is bounded for the whole shop, divided among its workers. */
const shareOf = (config: Config): Config => ({
  ...config,
  databaseConnections: Math.max(FEWEST_CONNECTIONS, Math.floor(config.databaseConnections / config.workers)),
  cacheBytes: Math.floor(config.cacheBytes / config.workers),
});

const urlOf = (text: string | undefined): URL | undefined => (text === undefined ? undefined : new URL(text));
const quiet = (): void => {};

const open = async (): Promise<void> => {
  const config = shareOf(readConfig(process.env));
  const house: HouseForWorkers = JSON.parse(process.env[HOUSE_VARIABLE] ?? '{}');
  const steps: Steps = [];
  const close = closerOf(steps);
  steps.push(await openTracing(config.traces));
  const counter = await openCounter(
    config,
    {
      databaseUrl: house.databaseUrl,
      payments: await openPayments(config, quiet, urlOf(house.payments)),
      social: await openSocial(config, quiet, {}, urlOf(house.signIn)),
      mailbox: urlOf(house.mailbox),
    },
    steps,
  );
  let lingerMs = LINGER_MS.quick;
  steps.push(() => counter.close(lingerMs));
  const leave = async (manner: ClosingManner): Promise<void> => {
    lingerMs = LINGER_MS[manner];
    await close().catch(() => {});
    // Whoever hands out connections answers after the last one it sent here, which was refused and goes to another worker.
    process.send?.({ word: 'closed' } satisfies FromWorker);
    setTimeout(() => process.exit(0), FAREWELL_LIMIT_MS);
  };
  const tellMetrics = async (): Promise<void> => {
    process.send?.({ word: 'measured', metrics: await counter.collect() } satisfies FromWorker);
  };
  process.on('SIGTERM', () => void leave('patient'));
  process.on('message', (told: ToWorker) => {
    if (told.word === 'go') process.exit(0);
    else if (told.word === 'close') void leave(told.manner);
    else if (told.word === 'measure') void tellMetrics();
    else counter.app.server.closeAllConnections();
  });
  await counter.warmUp();
  await counter.app.listen({ port: config.port, host: config.host });
};

// Ctrl-C and a closed terminal reach every process; whoever started this one tells it when it is time.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});

try {
  await open();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  process.send?.({ word: 'refused', message, code } satisfies FromWorker, () => process.exit(1));
}
