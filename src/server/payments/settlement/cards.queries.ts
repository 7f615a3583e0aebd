import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { sql } from 'kysely';

/** Writes down with which card somebody paid; once a card. */
export const insertCard = async (
  trx: Trx,
  userId: string,
  { fingerprint, last4 }: { fingerprint: string; last4: string },
): Promise<void> => {
  await trx
    .insertInto('payment_cards')
    .values({ user_id: userId, fingerprint, last4 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** With which cards somebody paid, by their last digits, as their export has it. */
export const listCards = (db: Db, userId: string): Promise<{ last4: string; firstPaidAt: Date }[]> =>
  db
    .selectFrom('payment_cards')
    .select(['last4', 'first_at as firstPaidAt'])
    .where('user_id', '=', userId)
    .orderBy('first_at')
    .execute();

/** Forgets the cards of somebody who has left. */
export const deleteCards = async (trx: Trx, userId: string): Promise<void> => {
  await trx.deleteFrom('payment_cards').where('user_id', '=', userId).execute();
};

/** Others who paid with a card of somebody. */
export const listSameCard = async (db: Db, userId: string): Promise<{ id: string; name: string; last4: string }[]> => {
  const { rows } = await sql<{ id: string; name: string; last4: string }>`
    SELECT DISTINCT ON (u.name, u.id) u.id, u.name, c.last4 FROM payment_cards AS c
    JOIN payment_cards AS o ON o.fingerprint = c.fingerprint AND o.user_id <> c.user_id
    JOIN users AS u ON u.id = o.user_id WHERE c.user_id = ${userId} ORDER BY u.name, u.id LIMIT 20`.execute(db);
  return rows;
};
