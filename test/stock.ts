// Stock files of sellers, sent as the page sends them and worked on as the shop does by itself.
import { createHash, randomUUID } from 'node:crypto';
import { chooseStock, commitStock, readStockFile, STOCK_PART_BYTES, undoStock } from '#contract/stock/stock-files.ts';
import type { StockChoices, StockFile } from '#contract/stock/stock-files.ts';
import { workOnStock } from '#server/catalog/stock/steps/stock-job.service.ts';
import { tellStockWritten } from '#server/catalog/stock/steps/telling.service.ts';
import type { TestApp } from './app.ts';
import type { TestUser } from './make.ts';

/** Does what the shop does by itself with files and edits. */
export const workOnFiles = async (t: TestApp): Promise<void> => {
  const deps = { db: t.payments.db, tellDone: tellStockWritten };
  for (const what of ['files', 'edits'] as const) await workOnStock(deps, new AbortController().signal, what);
};

export const digestHeader = (bytes: Buffer): Record<string, string> => ({
  'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
  'content-type': 'application/octet-stream',
});

/** Sends one part of a file. */
export const sendPart = (t: TestApp, as: TestUser, id: string, part: number, bytes: Buffer) =>
  t.app.inject({
    method: 'PUT',
    url: `/api/stock/files/${id}/parts/${part}`,
    headers: { authorization: `Bearer ${as.accessToken}`, ...digestHeader(bytes) },
    payload: bytes,
  });

/** Sends a whole file, without its being read. */
export const uploadStock = async (
  t: TestApp,
  as: TestUser,
  content: string | Buffer,
  name = 'stock.csv',
): Promise<string> => {
  const id = randomUUID();
  const bytes = Buffer.from(content as string);
  const announced = await t.send('PUT', `/api/stock/files/${id}`, { as, body: { name, size: bytes.length } });
  if (announced.statusCode !== 200) throw new Error(announced.body);
  for (let part = 0; part * STOCK_PART_BYTES < bytes.length; part += 1) {
    const piece = bytes.subarray(part * STOCK_PART_BYTES, (part + 1) * STOCK_PART_BYTES);
    const sent = await sendPart(t, as, id, part, piece);
    if (sent.statusCode !== 200) throw new Error(sent.body);
  }
  return id;
};

export const stockFile = async (t: TestApp, as: TestUser, id: string): Promise<StockFile> =>
  (await t.call(readStockFile, { params: { id } }, { as })).body;

/** Sends a file and has it read and compared, with what is chosen of it. */
export const dryRun = async (
  t: TestApp,
  as: TestUser,
  content: string | Buffer,
  choices?: StockChoices,
  name?: string,
): Promise<StockFile> => {
  const id = await uploadStock(t, as, content, name);
  await workOnFiles(t);
  if (choices === undefined) return stockFile(t, as, id);
  const before = await stockFile(t, as, id);
  await t.call(chooseStock, { params: { id }, body: { ...before.choices, ...choices } }, { as });
  await workOnFiles(t);
  return stockFile(t, as, id);
};

/** Has a file written that was looked at. */
export const commitFile = async (t: TestApp, as: TestUser, id: string, missing?: number): Promise<StockFile> => {
  const answer = await t.call(commitStock, { params: { id }, body: missing === undefined ? {} : { missing } }, { as });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await workOnFiles(t);
  return stockFile(t, as, id);
};

/** Has a file undone. */
export const undoFile = async (t: TestApp, as: TestUser, id: string): Promise<StockFile> => {
  const answer = await t.call(undoStock, { params: { id } }, { as });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await workOnFiles(t);
  return stockFile(t, as, id);
};
