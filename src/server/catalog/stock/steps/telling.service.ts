import { findUserById } from '#server/identity/sessions/identity.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import type { FileRow } from '#server/catalog/stock/files/stock-files.queries.ts';
import { countWaiting } from './copies.queries.ts';
import { countRows } from './rows.queries.ts';

/** Tells a seller by mail what a file of theirs did; somebody who left is told nothing. */
export const tellStockWritten = async (trx: Trx, { id, sellerId, name }: FileRow): Promise<void> => {
  const to = await findUserById(trx, sellerId);
  const counts = await countRows(trx, id);
  if (to === undefined || counts === null) return;
  const { added, changed, withdrawn } = counts;
  const data = { name, added, changed, withdrawn, waiting: await countWaiting(trx, id), refused: counts.rows.refused };
  await queueMail(trx, { kind: 'stock-written', key: `stock-written:${id}`, to, data });
};
