import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import { sendRefusal } from './error-reply.ts';

/** A rush may wait for connections to the database: so many for each there is, and however few there are so many. */
const RUSH = { perConnection: 8, least: 100 };
/**
 * Where somebody has waited at every look for this long it is no rush: the queue only makes everybody wait (what CoDel
 * calls a standing queue). Then so many may wait that no connection is idle, however fast or slow the database is, and
 * everyone is served soon.
 */
const STANDING_MS = 1_000;
const STANDING = { perConnection: 6, least: 60 };
/** When the event loop has not come round for this long, what it has begun comes first. */
const MOST_LATE_MS = 200;
const TICK_MS = 20;
/** With fewer requests under way it is not they who make it late: another program has the processor. */
const CROWD = { perConnection: 4, least: 40 };
const RETRY_AFTER_SECONDS = 1;
/** Who changes something (books, pays) has come a long way: they are refused last. */
const PATIENCE_WITH_CHANGES = 3;
const CHANGES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** What a process can bear. */
export interface Capacity {
  /** How many wait for a connection to the database now. */
  readonly waiting: () => number;
  /** Connections to the database. */
  readonly connections: number;
}

/**
 * Files are answered from memory, and a page is nothing without them. What pages ask in process was let in with the
 * page. The provider's word is money.
 */
const isNeverShed = (request: FastifyRequest): boolean =>
  request.isInProcess ||
  request.server.webFiles.has(request.url.split('?', 1)[0] ?? '') ||
  request.url.startsWith('/api/webhooks/');

const FULL = 'More people are here than the shop can serve; please try again in a moment';
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>One moment, please</title></head><body><h1>One moment, please</h1><p>${FULL}.</p></body></html>`;

/** Tells whoever asked that too many others do (503 with Retry-After), with a page where a page was asked for. */
export const refuseForLoad = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  if (request.url.startsWith('/api/') || request.headers.accept?.includes('text/html') !== true)
    return sendRefusal(request, reply, new AppError('unavailable', FULL, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  return reply
    .status(503)
    .headers({ 'retry-after': String(RETRY_AFTER_SECONDS), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(PAGE);
};

/**
 * Refuses at once what cannot be answered in time (503 with Retry-After), so that what is let in is (R4): by how many
 * wait for the database and how long the event loop takes. Cached answers never come here.
 */
export const addLoadShedding = (app: FastifyInstance, { waiting, connections }: Capacity): void => {
  let [lookedAt, wasLate, noneWaitedAt] = [performance.now(), 0, performance.now()];
  const look = (): void => {
    const now = performance.now();
    wasLate = now - lookedAt - TICK_MS;
    lookedAt = now;
    if (waiting() === 0) noneWaitedAt = now;
  };
  const timer = setInterval(look, TICK_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  /**
   * How long the event loop has been at what it is doing; 0 unless it was late the round before, too: one stall, as for
   * a collection of garbage, is no overload.
   */
  const lateMs = (now: number): number => (wasLate < MOST_LATE_MS / 2 ? 0 : now - lookedAt - TICK_MS);
  const most = ({ perConnection, least }: typeof RUSH): number => Math.max(least, connections * perConnection);
  let underWay = 0;
  /** Whether somebody more would have to wait too long; `patience` times as much is borne. */
  const isFull = (patience: number): boolean => {
    const now = performance.now();
    const isStanding = now - noneWaitedAt > STANDING_MS;
    if (waiting() >= most(isStanding ? STANDING : RUSH) * patience) return true;
    return underWay >= most(CROWD) && lateMs(now) > MOST_LATE_MS * patience;
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (isNeverShed(request)) return done();
    if (isFull(CHANGES.has(request.method) ? PATIENCE_WITH_CHANGES : 1)) return refuseForLoad(request, reply);
    // Who listens and waits asks for nothing meanwhile.
    if (request.routeOptions.config.endpoint?.stream !== undefined) return done();
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    return done();
  });
};
