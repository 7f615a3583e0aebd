import { randomInt } from 'node:crypto';
import { DELIVERY_DAYS, WEBHOOK_SECONDS } from '#contract/programs/webhooks.ts';
import { outsideAddress, requestOutside, type OutsideRules } from '#server/platform/outside/request-outside.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { findSale } from '#server/programs/sales/sales.service.ts';
import { signedHeaders } from './signature.ts';
import { deleteOldDeliveries, setDelivered, setFailed, takeDue, type DueDelivery } from './webhooks.queries.ts';

const MOST_AT_ONCE = 20;
const MOST_EACH = 5;
/** Longer than a try takes. */
const LEASE_SECONDS = 60;
const MINUTE = 60;
const HOUR = 3_600;
/** Between tries, as Standard Webhooks proposes; the last one again and again until its days are over. */
const PAUSES = [5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 5 * HOUR, 10 * HOUR] as const;
/** So many percent more or less, so that not all come back at the same moment. */
const SPREAD = 25;

export interface SendingDeps {
  readonly db: Db;
  readonly userAgent: string;
  readonly outside?: OutsideRules;
}

const pauseAfter = (attempts: number): number => {
  const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? PAUSES[0];
  return pause * (1 + randomInt(-SPREAD, SPREAD + 1) / 100);
};

/** What is told: the event, when it happened, and the sale as GET /sales has it. */
const bodyOf = async (db: Db, { event, orderId, listingId, at }: DueDelivery): Promise<string> => {
  const sale = orderId === null ? undefined : await findSale(db, orderId);
  const book = sale?.books.find((one) => one.listing_id === listingId);
  const data = event === 'copy.sold' ? { order_id: orderId, ...book } : { ...sale };
  return JSON.stringify({ type: event, timestamp: at.toISOString(), data });
};

interface Outcome {
  readonly status: number | null;
  /** Empty where it was taken. */
  readonly problem: string;
}

const NOT_REACHED: Outcome = { status: null, problem: 'The shop cannot reach this address' };

const send = async (deps: SendingDeps, due: DueDelivery, body: string): Promise<Outcome> => {
  const url = outsideAddress(due.url, deps.outside?.isPort);
  if (url === undefined) return NOT_REACHED;
  const limit = AbortSignal.timeout(WEBHOOK_SECONDS * 1_000);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': deps.userAgent,
    ...signedHeaders({ id: due.id, secret: due.secret, atSeconds: Math.floor(Date.now() / 1_000) }, body),
  };
  try {
    const answer = await requestOutside(url, { method: 'POST', headers, body }, deps.outside ?? {}, limit);
    // What else it says is nobody's to read.
    answer.destroy();
    const status = answer.statusCode ?? 0;
    const isTaken = status >= 200 && status < 300;
    return { status, problem: isTaken ? '' : `It answered ${status}` };
  } catch {
    if (limit.aborted) return { status: null, problem: `It took longer than ${WEBHOOK_SECONDS} seconds` };
    // What the socket, the name server or the certificate said is told to nobody: it would explore a network.
    return NOT_REACHED;
  }
};

const deliver = async (deps: SendingDeps, due: DueDelivery): Promise<void> => {
  const { status, problem } = await send(deps, due, await bodyOf(deps.db, due));
  if (problem === '') await setDelivered(deps.db, due.id, status ?? 0);
  else await setFailed(deps.db, { id: due.id, status, problem, againSeconds: pauseAfter(due.attempts) });
};

/**
 * Tells programs of what is due, several at once. Each is told at least once: one whose answer was lost, or whose
 * process was killed, comes again under the same id.
 */
export const tellPrograms = async (deps: SendingDeps): Promise<void> => {
  const due = await takeDue(deps.db, { most: MOST_AT_ONCE, mostEach: MOST_EACH, leaseSeconds: LEASE_SECONDS });
  await Promise.all(due.map((one) => deliver(deps, one)));
};

/** Drops what was told long ago. */
export const tidyDeliveries = (db: Db): Promise<void> => deleteOldDeliveries(db, DELIVERY_DAYS);
