import type { Trx } from '#server/platform/postgres/db.ts';

/** Says whether a copy waits for an admin's look; false where it was so already. */
export const setWaiting = async (trx: Trx, id: string, waits: boolean): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('listings')
    .set({ waits_for_look: waits })
    .where('id', '=', id)
    .where('waits_for_look', '!=', waits)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const isWaiting = async (trx: Trx, id: string): Promise<boolean> =>
  (await trx.selectFrom('listings').select('waits_for_look as waits').where('id', '=', id).executeTakeFirst())
    ?.waits === true;
