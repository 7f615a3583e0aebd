import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CannotOpen, type Steps } from '#server/house.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db.ts';
import { gauge, metricsText, type Family } from '#server/platform/metrics.ts';
import { missingMigrations } from '#server/platform/migrate.ts';
import { shopFamilies } from './families.ts';
import { readShopFigures } from './shop-figures.queries.ts';

/** A database that takes longer to answer nothing at all is not ready. */
const DATABASE_LIMIT_MS = 1_000;
/** An event loop that is later than this answers nobody in time. */
const MOST_LAG_SECONDS = 1;

export const CLOSING = 'The shop is closing.';

export interface OpsDeps {
  readonly db: Db;
  /** What else keeps the shop from answering, in sentences. */
  readonly problems: () => readonly string[];
  readonly lagSeconds: () => number;
  readonly collect: () => Promise<readonly Family[]>;
}

const within = <A>(work: Promise<A>): Promise<A> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = setTimeout(() => reject(new Error('no answer in time')), DATABASE_LIMIT_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(limit));
};

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

const metricsOf = async ({ db, collect }: OpsDeps): Promise<Family[]> => {
  const [own, figures] = await Promise.all([collect(), within(readShopFigures(db)).catch(() => undefined)]);
  const up = gauge(
    'dogear_database_up',
    'Whether the database told the figures of the shop.',
    figures === undefined ? 0 : 1,
  );
  return [...own, up, ...(figures === undefined ? [] : shopFamilies(figures))];
};

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
};

/**
 * `live`: the process answers. `serving`: and is not closing, which is what a load balancer should ask, as with the primary away books
 * are still shown. `ready`: and everything it needs is there.
 */
const answer = async (request: IncomingMessage, response: ServerResponse, deps: OpsDeps): Promise<void> => {
  const path = request.url?.split('?', 1)[0];
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'text/plain', 'GET only\n');
  if (path === '/health/live') return send(response, 200, 'application/json', '{"live":true}\n');
  if (path === '/health/serving') {
    const problems = deps.problems();
    return send(response, problems.length === 0 ? 200 : 503, 'application/json', `${JSON.stringify({ problems })}\n`);
  }
  if (path === '/health/ready') {
    const problems = await problemsOf(deps);
    const body = { ready: problems.length === 0, problems };
    return send(response, body.ready ? 200 : 503, 'application/json', `${JSON.stringify(body)}\n`);
  }
  if (path === '/metrics') {
    return send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', metricsText(await metricsOf(deps)));
  }
  return send(response, 404, 'text/plain', 'There are /health/live, /health/serving, /health/ready and /metrics.\n');
};

/**
 * Tells health and metrics on a port of its own, if one is configured; nothing of it is logged. It goes on telling while the shop closes,
 * so open it before what takes long to close.
 */
export const openOps = async (config: Pick<Config, 'metrics'>, steps: Steps, deps: OpsDeps): Promise<void> => {
  const { metrics } = config;
  if (metrics === undefined) return;
  const server = createServer((request, response) => {
    answer(request, response, deps).catch(() => send(response, 500, 'text/plain', 'This could not be told.\n'));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(metrics.port, metrics.host, resolve);
  }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CannotOpen(`Port ${metrics.port} of METRICS_PORT cannot be used: ${why}.`);
  });
  steps.push(async () => {
    server.close();
    server.closeAllConnections();
  });
};
