import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyReply } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';
import { StartError } from '#server/platform/start-error.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { measure, type Measured } from '#server/platform/metrics.ts';
import { missingMigrations } from '#server/platform/postgres/migrate.ts';
import { listShopFigures, type Figure } from './shop-figures.queries.ts';

/** A database that takes longer to answer nothing at all is not ready. */
const DATABASE_LIMIT_MS = 1_000;
/** An event loop that is later than this answers nobody in time. */
const MOST_LAG_SECONDS = 1;

export interface OpsDeps {
  readonly db: Db;
  /** What else keeps the shop from answering, in sentences. */
  readonly problems: () => readonly string[];
  readonly lagSeconds: () => number;
  /** What each process measures. */
  readonly collect: () => Promise<readonly Measured[]>;
}

const within = <A>(work: Promise<A>): Promise<A> =>
  Promise.race([
    work,
    sleep(DATABASE_LIMIT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer in time'))),
  ]);

const databaseProblems = async (db: Db): Promise<string[]> => {
  try {
    const missing = await within(missingMigrations(db));
    return missing.length === 0 ? [] : [`The database lacks ${missing.join(', ')}.`];
  } catch {
    return ['The database does not answer.'];
  }
};

const problemsOf = async ({ db, problems, lagSeconds }: OpsDeps): Promise<string[]> => {
  const own = [...problems()];
  if (lagSeconds() > MOST_LAG_SECONDS) own.push('The event loop is late.');
  // Who is closing is not asked for more.
  return own.length > 0 ? own : databaseProblems(db);
};

const measureShop = (registry: Registry, figures: readonly Figure[]): void => {
  for (const [name, same] of Map.groupBy(figures, (figure) => figure.name)) {
    const [{ help, labels } = { help: '', labels: {} }] = same;
    measure(registry, name, help, Object.keys(labels), () => same.map((figure) => [figure.labels, figure.value]));
  }
};

/** What all processes measure, added up, and what the database tells. */
const metricsText = async ({ db, collect }: OpsDeps): Promise<string> => {
  const [measured, figures] = await Promise.all([collect(), within(listShopFigures(db)).catch(() => [])]);
  const shop = new Registry();
  const isUp = figures.length > 0 ? 1 : 0;
  measure(shop, 'dogear_database_up', 'Whether the database told the figures of the shop.', [], () => [[{}, isUp]]);
  measureShop(shop, figures);
  return AggregatorRegistry.aggregate([...measured, await shop.getMetricsAsJSON()]).metrics();
};

const healthOf = (reply: FastifyReply, problems: readonly string[]) => reply.code(problems.length === 0 ? 200 : 503);

/**
 * Tells health and metrics on a port of its own, if one is configured; nothing of it is logged. It goes on telling
 * while the shop closes, so open it before what takes long to close. `live`: the process answers. `serving`: and is not
 * closing, which is what a load balancer should ask, as with the primary away books are still shown. `ready`: and
 * everything it needs is there.
 */
export const openOps = async (
  { metrics }: Pick<Config, 'metrics'>,
  resources: AsyncDisposableStack,
  deps: OpsDeps,
): Promise<void> => {
  if (metrics === undefined) return;
  const app = Fastify({ forceCloseConnections: true });
  app.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  app.get('/health/live', async () => ({ live: true }));
  app.get('/health/serving', async (_request, reply) => {
    const problems = deps.problems();
    return healthOf(reply, problems).send({ problems });
  });
  app.get('/health/ready', async (_request, reply) => {
    const problems = await problemsOf(deps);
    return healthOf(reply, problems).send({ ready: problems.length === 0, problems });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metricsText(deps)),
  );
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply.code(405).send('GET only\n');
    return reply.code(404).send('There are /health/live, /health/serving, /health/ready and /metrics.\n');
  });
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('This could not be told.\n'));
  await app.listen(metrics).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartError(`Port ${metrics.port} of METRICS_PORT cannot be used: ${why}.`);
  });
  resources.defer(() => app.close());
};
