import { sql, type SqlBool } from 'kysely';
import type { StockChange } from '#contract/stock/stock-edits.ts';
import type { StockChoices, StockFileState, StockSurvey } from '#contract/stock/stock-files.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import type { LeftCopy } from '#server/catalog/stock/stock.table.ts';

export interface FileRow {
  readonly id: string;
  readonly sellerId: string;
  readonly name: string;
  readonly size: number;
  readonly state: StockFileState;
  readonly problem: string;
  readonly asOf: Date;
  readonly survey: StockSurvey | null;
  readonly choices: StockChoices;
  readonly left: readonly LeftCopy[];
  readonly doneRows: number;
  readonly doneLine: number;
  readonly allRows: number;
  readonly committedAt: Date | null;
  /** Not a file: an edit of many copies. */
  readonly edit: StockChange | null;
  readonly createdAt: Date;
}

const files = (db: Db) =>
  db
    .selectFrom('stock_files')
    .select([
      'id',
      'seller_id as sellerId',
      'name',
      'size',
      'state',
      'problem',
      'as_of as asOf',
      'survey',
      'choices',
      'left_copies as left',
      'done_rows as doneRows',
      'done_line as doneLine',
      'all_rows as allRows',
      'committed_at as committedAt',
      'edit',
      'created_at as createdAt',
    ]);

export const findFile = (db: Db, id: string): Promise<FileRow | undefined> =>
  files(db).where('id', '=', id).executeTakeFirst();

/** The file, kept as it is until the transaction ends. */
export const lockFile = (trx: Trx, id: string): Promise<FileRow | undefined> =>
  files(trx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export const listFiles = (db: Db, sellerId: string, limit: number): Promise<FileRow[]> =>
  files(db)
    .where('seller_id', '=', sellerId)
    .where('edit', 'is', null)
    .where('state', '!=', 'cancelled')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** The last edits of a seller, the newest first. */
export const listEdits = (db: Db, sellerId: string, limit: number): Promise<FileRow[]> =>
  files(db)
    .where('seller_id', '=', sellerId)
    .where('edit', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** The next file, or the next edit, that there is work on, the oldest first. */
export const findWork = (db: Db, what: 'files' | 'edits'): Promise<FileRow | undefined> =>
  files(db)
    .where('edit', what === 'files' ? 'is' : 'is not', null)
    .where('state', 'in', ['reading', 'comparing', 'committing', 'undoing'])
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();

/** What was chosen of the last file of a seller that was written. */
export const findLastChoices = async (db: Db, sellerId: string): Promise<StockChoices | undefined> => {
  const row = await db
    .selectFrom('stock_files')
    .select('choices')
    .where('seller_id', '=', sellerId)
    .where('state', '=', 'done')
    .where('edit', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.choices;
};

/** What the columns of a file with this header were said to be, the last time that its seller corrected them. */
export const findColumnsOf = async (
  db: Db,
  sellerId: string,
  header: readonly string[],
): Promise<readonly string[] | undefined> => {
  const row = await db
    .selectFrom('stock_files')
    .select('choices')
    .where('seller_id', '=', sellerId)
    .where(sql<SqlBool>`survey->'header' = ${JSON.stringify(header)}::jsonb AND choices ? 'columns'`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.choices.columns;
};

/** Whether another file of the seller is being read or written. */
export const isBusy = async (db: Db, sellerId: string, besides: string): Promise<boolean> => {
  const row = await db
    .selectFrom('stock_files')
    .select('id')
    .where('seller_id', '=', sellerId)
    .where('id', '!=', besides)
    .where('state', 'in', ['reading', 'comparing', 'committing', 'undoing'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

/** Cancels the oldest files of a seller that wait for them, but for so many, and drops their bytes. */
export const cancelOldest = async (trx: Trx, sellerId: string, but: number): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    UPDATE stock_files SET state = 'cancelled' WHERE id IN (
      SELECT id FROM stock_files WHERE seller_id = ${sellerId}::uuid AND state IN ('uploading', 'ready', 'failed')
      ORDER BY created_at DESC, id DESC OFFSET ${but}) RETURNING id`.execute(trx);
  for (const { id } of rows) await dropBytes(trx, id);
};

export const insertFile = async (
  trx: Trx,
  file: { id: string; sellerId: string; name: string; size: number; choices: StockChoices },
): Promise<void> => {
  await trx
    .insertInto('stock_files')
    .values({
      id: file.id,
      seller_id: file.sellerId,
      name: file.name,
      size: file.size,
      choices: sql<StockChoices>`${JSON.stringify(file.choices)}::jsonb`,
      survey: null,
      committed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Notes an edit that is to be written at once; false where its id is taken. */
export const insertEdit = async (
  trx: Trx,
  edit: { id: string; sellerId: string; name: string; copies: number; change: StockChange },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await trx
    .insertInto('stock_files')
    .values({
      id: edit.id,
      seller_id: edit.sellerId,
      name: edit.name,
      size: edit.copies,
      all_rows: edit.copies,
      state: 'committing',
      edit: sql<StockChange>`${JSON.stringify(edit.change)}::jsonb`,
      survey: null,
      committed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
};

/** How many copies a file or an edit changed, of those that can still be undone. */
export const countChanged = async (db: Db, fileId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(DISTINCT listing_id)::integer AS count FROM stock_changes WHERE file_id = ${fileId}::uuid`.execute(db);
  return rows[0]?.count ?? 0;
};

/** What of a file changes; absent: it stays. */
export interface FileChange {
  readonly state?: StockFileState;
  readonly problem?: string;
  readonly asOf?: Date;
  readonly survey?: StockSurvey;
  readonly choices?: StockChoices;
  readonly left?: readonly LeftCopy[];
  readonly doneRows?: number;
  readonly doneLine?: number;
  readonly allRows?: number;
  readonly isCommitted?: true;
}

const json = <A>(value: A) => sql<A>`${JSON.stringify(value)}::jsonb`;

const changing = (db: Db, id: string, from: readonly StockFileState[], change: FileChange) => {
  const { state, problem, asOf, survey, choices, left, doneRows, doneLine, allRows, isCommitted } = change;
  return db
    .updateTable('stock_files')
    .set({
      ...(state !== undefined && { state }),
      ...(problem !== undefined && { problem }),
      ...(asOf !== undefined && { as_of: asOf }),
      ...(survey !== undefined && { survey: json(survey) }),
      ...(choices !== undefined && { choices: json(choices) }),
      ...(left !== undefined && { left_copies: json(left) }),
      ...(doneRows !== undefined && { done_rows: doneRows }),
      ...(doneLine !== undefined && { done_line: doneLine }),
      ...(allRows !== undefined && { all_rows: allRows }),
      ...(isCommitted === true && { committed_at: sql<Date>`shop_now()` }),
    })
    .where('id', '=', id)
    .where('state', 'in', [...from]);
};

/** Changes a file that is in one of these states; false where it is not. */
export const updateFile = async (
  db: Db,
  id: string,
  from: readonly StockFileState[],
  change: FileChange,
): Promise<boolean> => {
  const { numUpdatedRows } = await changing(db, id, from, change).executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Changes a file that is worked on; false where its seller has cancelled it or chosen otherwise since it was read. */
export const updateWork = async (
  db: Db,
  { id, state, choices }: Pick<FileRow, 'id' | 'state' | 'choices'>,
  change: FileChange,
): Promise<boolean> => {
  const { numUpdatedRows } = await changing(db, id, [state], change)
    .where('choices', '=', json(choices))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const listParts = async (db: Db, fileId: string): Promise<number[]> => {
  const rows = await db
    .selectFrom('stock_file_parts')
    .select('number')
    .where('file_id', '=', fileId)
    .orderBy('number')
    .execute();
  return rows.map(({ number }) => number);
};

/** Keeps a part; answers the digest of what is kept under its number, this or an earlier one. */
export const keepPart = async (
  trx: Trx,
  part: { fileId: string; number: number; sha256: Buffer; bytes: Buffer },
): Promise<Buffer> => {
  const { rows } = await sql<{ sha256: Buffer }>`
    INSERT INTO stock_file_parts (file_id, number, sha256, bytes)
    VALUES (${part.fileId}::uuid, ${part.number}, ${part.sha256}, ${part.bytes})
    ON CONFLICT (file_id, number) DO UPDATE SET number = excluded.number RETURNING sha256`.execute(trx);
  return rows[0]?.sha256 ?? part.sha256;
};

export const readPart = async (db: Db, fileId: string, number: number): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('stock_file_parts')
    .select('bytes')
    .where('file_id', '=', fileId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.bytes;
};

/** Drops what a file was read from; what it did can still be undone. */
export const dropBytes = async (db: Db, fileId: string): Promise<void> => {
  await db.deleteFrom('stock_file_parts').where('file_id', '=', fileId).execute();
};

export const noteChanges = async (
  trx: Trx,
  fileId: string,
  changes: readonly { listingId: string; deed: string; before?: object }[],
): Promise<void> => {
  if (changes.length === 0) return;
  await sql`
    INSERT INTO stock_changes (file_id, listing_id, deed, before)
    SELECT ${fileId}::uuid, new.* FROM unnest(${changes.map(({ listingId }) => listingId)}::uuid[],
      ${changes.map(({ deed }) => deed)}::text[],
      ${changes.map(({ before }) => (before === undefined ? null : JSON.stringify(before)))}::jsonb[]) AS new
    ON CONFLICT DO NOTHING`.execute(trx);
};

/** Some of what a file did, taken out of what is still to be undone. */
export const takeChanges = async (
  trx: Trx,
  fileId: string,
  limit: number,
): Promise<{ listingId: string; deed: string; before: Record<string, unknown> | null }[]> => {
  const { rows } = await sql<{ listingId: string; deed: string; before: Record<string, unknown> | null }>`
    DELETE FROM stock_changes WHERE file_id = ${fileId}::uuid AND (listing_id, deed) IN (
      SELECT listing_id, deed FROM stock_changes WHERE file_id = ${fileId}::uuid ORDER BY listing_id, deed LIMIT ${limit})
    RETURNING listing_id AS "listingId", deed, before`.execute(trx);
  return rows;
};

/** Names copies with their states, for what an undo leaves. */
export const nameCopies = async (db: Db, ids: readonly string[]): Promise<LeftCopy[]> => {
  if (ids.length === 0) return [];
  return db
    .selectFrom('listings as l')
    .leftJoin('stock_copies as s', 'l.id', 's.listing_id')
    .select([sql<string>`coalesce(s.sku, '')`.as('sku'), 'l.title', sql<string>`listing_status(l.status)`.as('status')])
    .where('l.id', 'in', [...ids])
    .execute();
};

/** Files that cannot be undone any more, or that nobody went on with, and still have rows or bytes. */
export const listOldFiles = async (db: Db, undoHours: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    SELECT f.id FROM stock_files AS f
    WHERE ((f.committed_at < shop_now() - make_interval(hours => ${undoHours}) AND f.state IN ('done', 'undone'))
        OR f.state = 'cancelled'
        OR (f.created_at < shop_now() - interval '7 days' AND f.state IN ('uploading', 'ready', 'failed')))
      AND (EXISTS (SELECT FROM stock_rows WHERE file_id = f.id)
        OR EXISTS (SELECT FROM stock_file_parts WHERE file_id = f.id)
        OR EXISTS (SELECT FROM stock_changes WHERE file_id = f.id))
    LIMIT 100`.execute(db);
  return rows.map(({ id }) => id);
};

export const listFileIds = async (db: Db, sellerId: string): Promise<string[]> => {
  const rows = await db.selectFrom('stock_files').select('id').where('seller_id', '=', sellerId).execute();
  return rows.map(({ id }) => id);
};

const CHANGES = 20_000;

/** Drops what a file could be undone by. */
export const dropChanges = async (db: Db, fileId: string): Promise<void> => {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM stock_changes WHERE file_id = ${fileId}::uuid AND listing_id IN (
        SELECT listing_id FROM stock_changes WHERE file_id = ${fileId}::uuid LIMIT ${CHANGES})`.execute(db);
    if (numAffectedRows === 0n) return;
  }
};

/** Forgets files that were over long ago, once nothing hangs on them. */
export const deleteOldFiles = async (db: Db): Promise<void> => {
  await sql`DELETE FROM stock_files AS f WHERE created_at < shop_now() - interval '90 days'
    AND state IN ('done', 'undone', 'failed', 'cancelled')
    AND NOT EXISTS (SELECT FROM stock_rows WHERE file_id = f.id)`.execute(db);
};

export const deleteFile = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('stock_files').where('id', '=', id).execute();
};

/** Forgets what only a seller saw of some of their copies; answers how many had anything. */
export const eraseOwn = async (db: Db, sellerId: string, limit: number): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    UPDATE stock_copies SET shelf = '', cost_cents = NULL, note = '', grade_text = '' WHERE listing_id IN (
      SELECT listing_id FROM stock_copies WHERE seller_id = ${sellerId}::uuid
        AND (shelf <> '' OR cost_cents IS NOT NULL OR note <> '' OR grade_text <> '') LIMIT ${limit})`.execute(db);
  return Number(numAffectedRows);
};
