import { Readable } from 'node:stream';
import type { StockFormat } from '#contract/stock/stock-export.ts';
import { NamedFile } from '#server/platform/files/named-file.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { rowsOfSku } from './exported-row.ts';
import { listStocked, listUnstocked, type ExportedCopy } from './stock-rows.queries.ts';
import { WRITERS } from './writers.ts';

const BATCH = 500;

/** What each is for; a tool of another house looks at the ending. */
const ENDINGS: Readonly<Record<StockFormat, string>> = {
  csv: 'csv',
  excel: 'csv',
  uiee: 'uiee.txt',
  abebooks: 'abebooks.txt',
  biblio: 'biblio.txt',
};
const CSV = 'text/csv; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const TYPES: Readonly<Record<StockFormat, string>> = { csv: CSV, excel: CSV, uiee: TEXT, abebooks: TEXT, biblio: TEXT };

/** The copies with a SKU, those of one SKU together. */
async function* skusOf(db: Db, sellerId: string): AsyncGenerator<ExportedCopy[]> {
  let after = { sku: '', number: 0 };
  let group: ExportedCopy[] = [];
  for (;;) {
    const rows = await listStocked(db, sellerId, after, BATCH);
    for (const row of rows) {
      if (group[0] !== undefined && group[0].sku !== row.sku) {
        yield group;
        group = [];
      }
      group.push(row);
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = { sku: last.sku ?? '', number: last.number ?? 0 };
  }
  if (group.length > 0) yield group;
}

async function* byHand(db: Db, sellerId: string): AsyncGenerator<ExportedCopy[]> {
  let before: { at: string; id: string } | undefined;
  for (;;) {
    const rows: ExportedCopy[] = await listUnstocked(db, sellerId, before, BATCH);
    for (const row of rows) yield [row];
    const last = rows.at(-1);
    if (last === undefined) return;
    before = last;
  }
}

async function* textOf(db: Db, sellerId: string, format: StockFormat): AsyncGenerator<string> {
  const { head, row } = WRITERS[format];
  let text = head;
  for await (const copies of skusOf(db, sellerId)) {
    for (const cells of rowsOfSku(copies)) text += row(cells) ?? '';
    if (text.length > 65_536) {
      yield text;
      text = '';
    }
  }
  for await (const copies of byHand(db, sellerId)) for (const cells of rowsOfSku(copies)) text += row(cells) ?? '';
  yield text;
}

/** The viewer's stock as a file of a format, written while it is sent. */
export const exportStock = (db: Db, viewer: Viewer, format: StockFormat): NamedFile => {
  const text = Readable.from(textOf(db, requireSeller(viewer).userId, format));
  return new NamedFile(`dogear-stock.${ENDINGS[format]}`, TYPES[format], text);
};
