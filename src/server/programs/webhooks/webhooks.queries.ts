import { sql } from 'kysely';
import type { WebhookDelivery, WebhookEvent } from '#contract/programs/webhooks.ts';
import type { Position } from '#server/platform/cursor.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';

export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly events: WebhookEvent[];
  readonly createdAt: Date;
}

const WEBHOOK = ['id', 'url', 'events', 'created_at as createdAt'] as const;

export const listWebhookRows = (db: Db, sellerId: string): Promise<WebhookRow[]> =>
  db.selectFrom('seller_webhooks').select(WEBHOOK).where('seller_id', '=', sellerId).orderBy('created_at').execute();

/** Whose address it is; undefined where there is none. */
export const findWebhookSeller = async (db: Db, id: string): Promise<string | undefined> => {
  const row = await db.selectFrom('seller_webhooks').select('seller_id').where('id', '=', id).executeTakeFirst();
  return row?.seller_id;
};

/** Keeps a seller as they are until the transaction ends, so that addresses are counted one after the other. */
export const lockSeller = async (trx: Trx, sellerId: string): Promise<void> => {
  await trx.selectFrom('users').select('id').where('id', '=', sellerId).forNoKeyUpdate().execute();
};

export const insertWebhook = (
  trx: Trx,
  webhook: { sellerId: string; url: string; events: readonly WebhookEvent[]; secret: Buffer },
): Promise<WebhookRow> =>
  trx
    .insertInto('seller_webhooks')
    .values({
      seller_id: webhook.sellerId,
      url: webhook.url,
      events: [...webhook.events],
      secret: webhook.secret,
    })
    .returning(WEBHOOK)
    .executeTakeFirstOrThrow();

export const deleteWebhook = async (db: Db, sellerId: string, id: string): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('seller_webhooks')
    .where('id', '=', id)
    .where('seller_id', '=', sellerId)
    .executeTakeFirst();
  return Number(numDeletedRows);
};

export const deleteWebhooksOf = async (trx: Trx, sellerId: string): Promise<void> => {
  await trx.deleteFrom('seller_webhooks').where('seller_id', '=', sellerId).execute();
};

export interface DeliveryRow extends Position {
  readonly event: string;
  readonly state: WebhookDelivery['state'];
  readonly attempts: number;
  readonly status: number | null;
  readonly problem: string;
  readonly noted: Date;
  readonly nextAt: Date;
}

const DELIVERY = sql`d.id, d.event, d.state, d.attempts, d.status, d.problem, d.at AS noted, d.next_at AS "nextAt",
  to_char(d.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

/** What an address was told, the newest first. */
export const listDeliveryRows = async (
  db: Db,
  webhookId: string,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<DeliveryRow[]> => {
  const beyond = after === undefined ? sql`` : sql`AND (d.at, d.id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<DeliveryRow>`
    SELECT ${DELIVERY} FROM webhook_deliveries AS d WHERE d.webhook_id = ${webhookId}::uuid ${beyond}
    ORDER BY d.at DESC, d.id DESC LIMIT ${limit}`.execute(db);
  return rows;
};

export const insertTest = async (db: Db, webhookId: string): Promise<DeliveryRow> => {
  const { rows } = await sql<DeliveryRow>`
    INSERT INTO webhook_deliveries AS d (webhook_id, event) VALUES (${webhookId}::uuid, 'webhook.test')
    RETURNING ${DELIVERY}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a test was not written');
  return row;
};

/** Has something told once more, from the first try on; undefined where there is none. */
export const renewDelivery = async (
  db: Db,
  { webhookId, id, days }: { webhookId: string; id: string; days: number },
): Promise<DeliveryRow | undefined> => {
  const { rows } = await sql<DeliveryRow>`
    UPDATE webhook_deliveries AS d SET state = 'waiting', attempts = 0, next_at = now(),
      until = now() + make_interval(days => ${days})
    WHERE d.id = ${id}::uuid AND d.webhook_id = ${webhookId}::uuid RETURNING ${DELIVERY}`.execute(db);
  return rows[0];
};

/** What is to be told now. */
export interface DueDelivery {
  readonly id: string;
  readonly event: string;
  readonly orderId: string | null;
  readonly listingId: string | null;
  readonly at: Date;
  readonly attempts: number;
  readonly url: string;
  readonly secret: Buffer;
}

/**
 * Takes what is due, a few of each address, so that a slow one keeps nobody else waiting. What was taken and not
 * settled, because a process was killed, is due again after the lease.
 */
export const takeDue = async (
  db: Db,
  { most, mostEach, leaseSeconds }: { most: number; mostEach: number; leaseSeconds: number },
): Promise<DueDelivery[]> => {
  const { rows } = await sql<DueDelivery>`
    WITH due AS (
      SELECT d.id FROM seller_webhooks AS w, LATERAL (
        SELECT o.id, o.next_at FROM webhook_deliveries AS o WHERE o.webhook_id = w.id AND o.state = 'waiting'
          AND o.next_at <= now() ORDER BY o.next_at LIMIT ${mostEach}) AS d
      WHERE w.id IN (SELECT webhook_id FROM webhook_deliveries WHERE state = 'waiting' AND next_at <= now())
      ORDER BY d.next_at LIMIT ${most})
    UPDATE webhook_deliveries AS d SET attempts = d.attempts + 1, next_at = now() + make_interval(secs => ${leaseSeconds})
    FROM seller_webhooks AS w
    WHERE d.id IN (SELECT id FROM due) AND d.state = 'waiting' AND d.next_at <= now() AND w.id = d.webhook_id
    RETURNING d.id, d.event, d.order_id AS "orderId", d.listing_id AS "listingId", d.at, d.attempts, w.url,
      w.secret`.execute(db);
  return rows;
};

export const setDelivered = async (db: Db, id: string, status: number): Promise<void> => {
  await sql`UPDATE webhook_deliveries SET state = 'delivered', status = ${status}, problem = ''
    WHERE id = ${id}::uuid`.execute(db);
};

/** Notes a failure, and when it is tried again: undefined for never; nor once its time is over. */
export const setFailed = async (
  db: Db,
  { id, status, problem, againSeconds }: { id: string; status: number | null; problem: string; againSeconds: number },
): Promise<void> => {
  await sql`UPDATE webhook_deliveries SET status = ${status}, problem = ${problem},
      next_at = now() + make_interval(secs => ${againSeconds}),
      state = CASE WHEN now() + make_interval(secs => ${againSeconds}) > until THEN 'given-up' ELSE 'waiting' END
    WHERE id = ${id}::uuid`.execute(db);
};

export const deleteOldDeliveries = async (db: Db, days: number): Promise<void> => {
  await sql`DELETE FROM webhook_deliveries WHERE at < now() - make_interval(days => ${days})`.execute(db);
};
