import { sql, type RawBuilder } from 'kysely';
import { expect } from 'vitest';
import { countBroken, PLEDGES } from '#server/payments/reconciliation/invariants.queries.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** The one order of a shop, and its seller. */
export const ORDER = sql`(SELECT id FROM orders)`;
export const SELLER = sql`(SELECT seller_id FROM orders)`;

class Undone extends Error {}

/** The pledges that are broken once these were written, which nobody ever sees. */
export const brokenOnce = async (db: Db, statements: readonly RawBuilder<unknown>[]): Promise<string[]> => {
  const broken: string[] = [];
  const undone = db.transaction().execute(async (trx) => {
    for (const statement of statements) await statement.execute(trx);
    for (const pledge of PLEDGES) if ((await countBroken(trx, pledge)) > 0) broken.push(pledge.id);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  return broken;
};

/** A posting that nobody's code made. */
export const posting = (
  kind: string,
  reference: string | RawBuilder<unknown>,
  entries: Readonly<Record<string, number>>,
) => sql`
  WITH posted AS (INSERT INTO ledger_transactions (kind, reference, order_id, seller_id)
    VALUES (${kind}, ${reference}, ${ORDER}, ${SELLER}) RETURNING id)
  INSERT INTO ledger_entries (transaction_id, account, seller_id, amount_cents)
  SELECT posted.id, e.account, CASE WHEN e.account IN ('seller', 'seller-pending', 'in-transit') THEN ${SELLER} END, e.cents
  FROM posted, (VALUES ${sql.join(Object.entries(entries).map(([account, cents]) => sql`(${account}, ${cents}::integer)`))}) AS e (account, cents)`;

/** The order is closed, and what was pending of it due. */
export const due = sql`
  WITH closed AS (
    UPDATE orders SET state = 'closed', outcome = 'completed', due_at = NULL, due_move = NULL, closed_at = shop_now() RETURNING id),
  told AS (INSERT INTO order_events (order_id, move, from_state, to_state, by) SELECT id, 'close', 'paid', 'closed', 'clock' FROM closed),
  posted AS (
    INSERT INTO ledger_transactions (kind, reference, order_id, seller_id)
    SELECT 'release', id::text, id, ${SELLER} FROM closed RETURNING id)
  INSERT INTO ledger_entries (transaction_id, account, seller_id, amount_cents)
  SELECT posted.id, e.account, ${SELLER}, e.sign * (SELECT -sum(amount_cents) FROM ledger_entries WHERE account = 'seller-pending')
  FROM posted, (VALUES ('seller-pending', 1), ('seller', -1)) AS e (account, sign)`;
