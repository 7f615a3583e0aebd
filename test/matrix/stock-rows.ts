import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ofFreshCopy } from './catalog-rows.ts';
import { row, type Cell, type Row, type Sent } from './row.ts';

/** A file of the seller's that was looked at. */
const aFile = async ({ t, scene }: Cell, state = 'ready'): Promise<Sent> => {
  const id = randomUUID();
  const survey = { format: 'delimited', encoding: 'utf-8', delimiter: ',', header: [], columns: [], first: [] };
  const whole = JSON.stringify({ ...survey, letters: [], statuses: [], decimal: '.' });
  await sql`INSERT INTO stock_files (id, seller_id, name, size, state, survey, all_rows, committed_at)
    VALUES (${id}, ${scene.seller.id}, 'stock.csv', 4, ${state}, ${whole}::jsonb, 1, shop_now())`.execute(t.db);
  await sql`INSERT INTO stock_rows (file_id, line, sku, digest, cells, action)
    VALUES (${id}, 2, '1', '\\x00', '{"sku": "1"}', 'refused')`.execute(t.db);
  return { params: { id } };
};
const digest = `sha-256=:${createHash('sha256').update('sku\n').digest('base64')}:`;

/** An edit of the seller's. */
const anEdit = async ({ t, scene }: Cell): Promise<Sent> => {
  const id = randomUUID();
  await sql`INSERT INTO stock_files (id, seller_id, name, size, state, edit, all_rows, committed_at)
    VALUES (${id}, ${scene.seller.id}, 'one', 1, 'undone', '{"paused": true}', 1, shop_now())`.execute(t.db);
  return { params: { id } };
};
const change = { selection: { filter: { q: 'no such book' } }, change: { paused: true } };

/** Stock files, copies and edits: a seller's own. */
export const STOCK_ROWS: readonly Row[] = [
  //                                                       none  buyer seller admin other
  row('GET /api/stock/files', /*                         */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('PUT /api/stock/files/:id', /*                     */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ params: { id: randomUUID() }, body: { name: 'stock.csv', size: 4 } }),
  }),
  row('PUT /api/stock/files/:id/parts/:part', /*         */ [401, 403, 400, 403, 400], {
    other: 'seller',
    send: async (cell) => ({
      params: { ...(await aFile(cell, 'uploading')).params, part: '0' },
      headers: { 'content-digest': digest },
      body: { no: 'part' },
    }),
  }),
  row('GET /api/stock/files/:id', /*                     */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: (cell) => aFile(cell),
  }),
  row('PUT /api/stock/files/:id/choices', /*             */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({ ...(await aFile(cell)), body: {} }),
  }),
  row('GET /api/stock/files/:id/rows', /*                */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({ ...(await aFile(cell)), query: { action: 'refused' } }),
  }),
  row('PUT /api/stock/files/:id/rows/:line', /*          */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({
      params: { ...(await aFile(cell)).params, line: '2' },
      body: { cells: { sku: '1', title: 'Emma' } },
    }),
  }),
  row('GET /api/stock/files/:id/refused.csv', /*         */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: (cell) => aFile(cell),
  }),
  row('POST /api/stock/files/:id/commit', /*             */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({ ...(await aFile(cell, 'done')), body: {} }),
  }),
  row('POST /api/stock/files/:id/undo', /*               */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: (cell) => aFile(cell, 'undone'),
  }),
  row('GET /api/stock/export', /*                        */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ query: { format: 'csv' } }),
  }),
  row('DELETE /api/stock/files/:id', /*                  */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: (cell) => aFile(cell),
  }),
  row('GET /api/stock/copies', /*                        */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('GET /api/stock/copies/:id', /*                    */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: ({ scene }) => ({ params: { id: scene.copy._id } }),
  }),
  row('POST /api/stock/copies/:id/sold-elsewhere', /*    */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: ofFreshCopy,
  }),
  row('DELETE /api/stock/copies/:id/sold-elsewhere', /*  */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: ({ scene }) => ({ params: { id: scene.copy._id } }),
  }),
  row('POST /api/stock/edits/preview', /*                */ [401, 403, 200, 403, 200], {
    other: 'seller',
    send: () => ({ body: change }),
  }),
  row('GET /api/stock/edits', /*                         */ [401, 403, 200, 403, 200], { other: 'seller' }),
  row('GET /api/stock/edits/:id', /*                     */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: (cell) => anEdit(cell),
  }),
  row('PUT /api/stock/edits/:id', /*                     */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: async (cell) => ({ ...(await anEdit(cell)), body: { ...change, copies: 1 } }),
  }),
  row('POST /api/stock/edits/:id/undo', /*               */ [401, 403, 200, 403, 404], {
    other: 'seller',
    send: (cell) => anEdit(cell),
  }),
];
