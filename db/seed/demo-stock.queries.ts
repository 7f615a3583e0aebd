import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';

const DAY_SECONDS = 86_400;

/** Numbers the copies of a seller, by title, and says where each stands and what was paid for it. */
export const numberDemoCopies = async (trx: Trx, sellerId: string, letters: string): Promise<void> => {
  await sql`
    INSERT INTO stock_copies (listing_id, seller_id, sku, number, shelf, cost_cents)
    SELECT l.id, l.seller_id, ${letters} || '-' || lpad(l.place::text, 3, '0'), 1,
      chr(65 + (l.place / 12)::integer) || (1 + l.place % 12), greatest(50, l.resale_cents * 3 / 10)
    FROM (SELECT *, row_number() OVER (ORDER BY title, id) AS place FROM listings WHERE seller_id = ${sellerId}::uuid) AS l`.execute(
    trx,
  );
};

/** A file that was written by mistake some weeks ago and undone. */
export const insertDemoFile = async (trx: Trx, sellerId: string, name: string): Promise<void> => {
  await sql`INSERT INTO stock_files (id, seller_id, name, size, state, all_rows, committed_at, created_at)
    VALUES (gen_random_uuid(), ${sellerId}::uuid, ${name}, 48213, 'undone', 212,
      shop_now() - interval '20 days', shop_now() - interval '20 days')`.execute(trx);
};

/** A file that has arrived whole and is still to be read. */
export const insertSentFile = async (
  trx: Trx,
  sellerId: string,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<void> => {
  const id = randomUUID();
  await sql`INSERT INTO stock_files (id, seller_id, name, size, state, choices, created_at)
    VALUES (${id}::uuid, ${sellerId}::uuid, ${name}, ${bytes.length}, 'reading',
      '{"category": "classics", "location": "Portland, OR"}', shop_now() - interval '21 days')`.execute(trx);
  await trx
    .insertInto('stock_file_parts')
    .values({ file_id: id, number: 0, sha256: createHash('sha256').update(bytes).digest(), bytes })
    .execute();
};

/** A key of a program that nobody can use: of its secret there is only a hash, and that of none. */
export const insertDemoKey = async (trx: Trx, sellerId: string, name: string): Promise<void> => {
  await trx
    .insertInto('api_keys')
    .values({
      user_id: sellerId,
      name,
      begins: 'dg_Zq81x',
      key_hash: randomBytes(32),
      scopes: ['stock:read', 'stock:write'],
      last_used_at: sql<Date>`now() - interval '3 hours'`,
    })
    .execute();
};

/** An address that is told of cancelled orders: once it took it, once it was away for too long. */
export const insertDemoWebhook = async (trx: Trx, sellerId: string, url: string): Promise<void> => {
  const { id } = await trx
    .insertInto('seller_webhooks')
    .values({ seller_id: sellerId, url, events: ['order.cancelled'], secret: randomBytes(32) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const told = { webhook_id: id, event: 'webhook.test', order_id: null, listing_id: null } as const;
  const ago = (days: number) => sql<Date>`now() - make_interval(secs => ${days * DAY_SECONDS})`;
  await trx
    .insertInto('webhook_deliveries')
    .values([
      {
        ...told,
        state: 'given-up',
        attempts: 14,
        status: 503,
        problem: 'It answered 503',
        at: ago(9),
        next_at: ago(6),
      },
      { ...told, state: 'delivered', attempts: 1, status: 204, problem: '', at: ago(2), next_at: ago(2) },
    ])
    .execute();
};
