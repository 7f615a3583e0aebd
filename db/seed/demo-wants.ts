import { sql } from 'kysely';
import type { Trx } from '#server/platform/postgres/db.ts';

/** What the buyer whom people try looks for: once in each state that needs no copy on its way. */
const WANTS = [
  { title: 'The Housekeeper and the Professor', author: 'Yoko Ogawa', maxCents: 900, state: 'active' },
  { title: 'Stoner', author: 'John Williams', maxCents: null, state: 'active' },
  { title: 'The Summer Book', author: 'Tove Jansson', maxCents: 1200, state: 'paused' },
  { title: 'The Blue Flower', author: 'Penelope Fitzgerald', maxCents: null, state: 'bought' },
  { title: 'A Month in the Country', author: 'J. L. Carr', maxCents: 800, state: 'expired' },
] as const;

/** Enough others look for these that sellers are told of it. */
const WANTED_BY_MANY = WANTS.slice(0, 2);

/** Books that nobody sells, and that several readers look for. */
export const insertDemoWants = async (trx: Trx, buyerId: string, others: readonly string[]): Promise<void> => {
  for (const [place, { title, author, maxCents, state }] of WANTS.entries())
    await sql`INSERT INTO wants (user_id, title, author, max_cents, state, since, ends_at)
      VALUES (${buyerId}::uuid, ${title}, ${author}, ${maxCents}, ${state},
        shop_now() - make_interval(days => ${(place + 1) * 9}),
        shop_now() + CASE WHEN ${state} = 'expired' THEN interval '-2 days' ELSE interval '11 months' END)`.execute(
      trx,
    );
  for (const { title, author, maxCents } of WANTED_BY_MANY)
    await sql`INSERT INTO wants (user_id, title, author, max_cents, ends_at)
      SELECT id, ${title}, ${author}, ${maxCents}::integer + 100 * place, shop_now() + interval '8 months'
      FROM unnest(${[...others]}::uuid[]) WITH ORDINALITY AS r (id, place)`.execute(trx);
};
