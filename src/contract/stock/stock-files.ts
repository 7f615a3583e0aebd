import { Type, type Static } from 'typebox';
import { Condition } from '#contract/catalog/catalog.ts';
import { endpoint } from '#contract/endpoint.ts';
import { CategoryId, Id, IsoTime, PageQuery, Text } from '#contract/scalars.ts';

/** The largest file, in bytes. */
export const MAX_STOCK_FILE_BYTES = 50_000_000;
/** The most rows that a file may have. */
export const MAX_STOCK_ROWS = 100_000;
/** A file comes in parts of so many bytes, the last one shorter. */
export const STOCK_PART_BYTES = 4_194_304;
/** What a file did can be undone for so many hours. */
export const UNDO_HOURS = 24;

const Field = Type.String({ pattern: '^[a-z_]{0,20}$', description: 'a field of src/contract/stock/fields.ts, or ""' });
const Cells = Type.Record(Type.String(), Type.String());
const Meaning = Type.Union([Type.Literal('sale'), Type.Literal('pause'), Type.Literal('gone')]);
const Encoding = Type.Union([
  Type.Literal('utf-8'),
  Type.Literal('windows-1252'),
  Type.Literal('utf-16le'),
  Type.Literal('utf-16be'),
]);
const Format = Type.Union([Type.Literal('uiee'), Type.Literal('delimited'), Type.Literal('isbn-list')]);
const Delimiter = Type.Union([
  Type.Literal(','),
  Type.Literal(';'),
  Type.Literal('\t'),
  Type.Literal('|'),
  Type.Literal('~'),
]);
const Decimal = Type.Union([Type.Literal('.'), Type.Literal(',')]);

/** What a row of a file comes to. `again`: the same row stands in the file before. */
export const StockAction = Type.Union([
  Type.Literal('new'),
  Type.Literal('changed'),
  Type.Literal('gone'),
  Type.Literal('unchanged'),
  Type.Literal('again'),
  Type.Literal('refused'),
]);
export type StockAction = Static<typeof StockAction>;

/**
 * What is said of all rows: how they are read, and what copies are whose rows do not say it. `columns` in the order of
 * the header. `statuses`: what the words of the status column mean. `asOf`: when the file was written. `makesNumbers`:
 * rows without a SKU get one, and each is a copy of its own.
 */
export const StockChoices = Type.Object({
  encoding: Type.Optional(Encoding),
  format: Type.Optional(Format),
  delimiter: Type.Optional(Delimiter),
  columns: Type.Optional(Type.Array(Field, { maxItems: 200 })),
  statuses: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Meaning)),
  decimal: Type.Optional(Decimal),
  asOf: Type.Optional(IsoTime),
  category: Type.Optional(CategoryId),
  condition: Type.Optional(Condition),
  price: Type.Optional(Text(20)),
  location: Type.Optional(Text(200)),
  phone: Type.Optional(Text(50)),
  isWholeStock: Type.Optional(Type.Boolean()),
  makesNumbers: Type.Optional(Type.Boolean()),
});
export type StockChoices = Static<typeof StockChoices>;

/** What was found in a file. `letters`: rows with letters beyond ASCII, by which a wrong encoding is seen. */
export const StockSurvey = Type.Object({
  format: Format,
  encoding: Encoding,
  delimiter: Delimiter,
  header: Type.Array(Type.String()),
  columns: Type.Array(Field),
  first: Type.Array(Cells),
  letters: Type.Array(Cells),
  statuses: Type.Array(
    Type.Object({ value: Type.String(), rows: Type.Integer(), meaning: Type.Union([Meaning, Type.Null()]) }),
  ),
  decimal: Type.Union([Decimal, Type.Null()]),
});
export type StockSurvey = Static<typeof StockSurvey>;

/**
 * How many rows come to what, and how many copies. `missing`: copies of the seller with a SKU that the file does not
 * name. `soldHere`: sold here since the file was written, and taken off its quantities. `kept`: held or sold, so not
 * taken away or changed. `asks`: what rows lack that can be said for all.
 */
export const StockCounts = Type.Object({
  rows: Type.Object({
    new: Type.Integer(),
    changed: Type.Integer(),
    gone: Type.Integer(),
    unchanged: Type.Integer(),
    again: Type.Integer(),
    refused: Type.Integer(),
  }),
  added: Type.Integer(),
  changed: Type.Integer(),
  withdrawn: Type.Integer(),
  missing: Type.Integer(),
  soldHere: Type.Integer(),
  kept: Type.Integer(),
  asks: Type.Array(Type.String()),
});
export type StockCounts = Static<typeof StockCounts>;

export const StockFileState = Type.Union([
  Type.Literal('uploading'),
  Type.Literal('reading'),
  Type.Literal('comparing'),
  Type.Literal('ready'),
  Type.Literal('committing'),
  Type.Literal('done'),
  Type.Literal('undoing'),
  Type.Literal('undone'),
  Type.Literal('failed'),
  Type.Literal('cancelled'),
]);
export type StockFileState = Static<typeof StockFileState>;

/**
 * A file of a seller on its way into the shop. `parts`: those that have arrived. `problem` is `""` for none.
 * `left`: the first 100 copies that an undo had to leave.
 */
export const StockFile = Type.Object({
  id: Id,
  name: Type.String(),
  size: Type.Integer(),
  state: StockFileState,
  problem: Type.String(),
  parts: Type.Array(Type.Integer()),
  doneRows: Type.Integer(),
  allRows: Type.Integer(),
  survey: Type.Union([StockSurvey, Type.Null()]),
  choices: StockChoices,
  counts: Type.Union([StockCounts, Type.Null()]),
  left: Type.Array(Type.Object({ sku: Type.String(), title: Type.String(), status: Type.String() })),
  asOf: IsoTime,
  createdAt: IsoTime,
  undoUntil: Type.Union([IsoTime, Type.Null()]),
});
export type StockFile = Static<typeof StockFile>;

/** A row of a file and what it comes to; `reason` says why it is refused, or what else is to be known of it. */
export const StockRow = Type.Object({
  line: Type.Integer(),
  sku: Type.String(),
  action: StockAction,
  reason: Type.String(),
  cells: Cells,
});
export type StockRow = Static<typeof StockRow>;

const params = Type.Object({ id: Id });

export const listStockFiles = endpoint({
  method: 'GET',
  path: '/stock/files',
  summary: 'The last 20 stock files of the seller, the newest first',
  access: 'seller',
  scope: 'stock:read',
  status: 200,
  answer: Type.Object({ files: Type.Array(StockFile) }),
  refused: { files: [] },
  personal: true,
});

/**
 * Announces a file of at most 50 MB under an id that the client makes: again it is the same answer, with the parts that
 * have arrived. 409 `stock_busy` while another file of the seller is being read or written.
 */
export const announceStockFile = endpoint({
  method: 'PUT',
  path: '/stock/files/:id',
  summary: 'Announces a stock file',
  access: 'seller',
  scope: 'stock:write',
  params,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    size: Type.Integer({ minimum: 0, maximum: MAX_STOCK_FILE_BYTES }),
  }),
  status: 200,
  answer: StockFile,
  refused: { id: null },
  personal: true,
});

/**
 * The body is a part of the file, 4 MiB but for the last; `Content-Digest: sha-256=:…:` says what it is. Again the same
 * is the same answer; other bytes are 409 `stock_differs`. Once all are there the file is read.
 */
export const uploadStockPart = endpoint({
  method: 'PUT',
  path: '/stock/files/:id/parts/:part',
  summary: 'Takes up a part of a stock file',
  access: 'its seller',
  scope: 'stock:write',
  params: Type.Object({ id: Id, part: Type.String({ pattern: '^[0-9]{1,2}$' }) }),
  upload: { types: ['application/octet-stream'] },
  status: 200,
  answer: StockFile,
  refused: { id: null },
  personal: true,
});

export const readStockFile = endpoint({
  method: 'GET',
  path: '/stock/files/:id',
  summary: 'A stock file: how far it is, what was found in it, what it comes to',
  access: 'its seller',
  scope: 'stock:read',
  params,
  status: 200,
  answer: StockFile,
  refused: { id: null },
  personal: true,
});

/** Replaces the choices and looks at the rows again; 409 `stock_state` once it is being written. */
export const chooseStock = endpoint({
  method: 'PUT',
  path: '/stock/files/:id/choices',
  summary: 'Says how a stock file is read',
  access: 'its seller',
  scope: 'stock:write',
  params,
  body: StockChoices,
  status: 200,
  answer: StockFile,
  refused: { id: null },
  personal: true,
});

export const listStockRows = endpoint({
  method: 'GET',
  path: '/stock/files/:id/rows',
  summary: 'Rows of a stock file that come to the same, in the order of the file',
  access: 'its seller',
  scope: 'stock:read',
  params,
  query: Type.Object({ action: StockAction, ...PageQuery }),
  status: 200,
  answer: Type.Array(StockRow),
  personal: true,
});

/** Mends a row: `cells` replaces what it says. Answers the row as it is then. */
export const mendStockRow = endpoint({
  method: 'PUT',
  path: '/stock/files/:id/rows/:line',
  summary: 'Mends a row of a stock file',
  access: 'its seller',
  scope: 'stock:write',
  params: Type.Object({ id: Id, line: Type.String({ pattern: '^[0-9]{1,9}$' }) }),
  body: Type.Object({ cells: Type.Record(Field, Type.String({ maxLength: 12_000 })) }),
  status: 200,
  answer: StockRow,
  refused: { line: null },
  personal: true,
});

/** The refused rows with their lines and reasons, to be mended and dropped again. */
export const downloadRefused = endpoint({
  method: 'GET',
  path: '/stock/files/:id/refused.csv',
  summary: 'The refused rows of a stock file as a file',
  access: 'its seller',
  scope: 'stock:read',
  params,
  status: 200,
  answer: Type.String(),
  file: { type: 'text/csv; charset=utf-8', name: 'refused.csv' },
  personal: true,
});

/**
 * Writes the file. `missing`: how many copies are to go because the file is the whole stock; 409 `stock_missing` where
 * it is another number by then. 409 `stock_state` unless the file is ready; again it is the same answer.
 */
export const commitStock = endpoint({
  method: 'POST',
  path: '/stock/files/:id/commit',
  summary: 'Writes a stock file into the shop',
  access: 'its seller',
  scope: 'stock:write',
  params,
  body: Type.Object({ missing: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })) }),
  status: 200,
  answer: StockFile,
  refused: { id: null },
  personal: true,
});

/** Takes back what a file did, for 24 hours; what is held or sold by then stays. */
export const undoStock = endpoint({
  method: 'POST',
  path: '/stock/files/:id/undo',
  summary: 'Undoes a stock file',
  access: 'its seller',
  scope: 'stock:write',
  params,
  status: 200,
  answer: StockFile,
  refused: { id: null },
  personal: true,
});

/** Drops a file; what was written of it already stays. */
export const cancelStock = endpoint({
  method: 'DELETE',
  path: '/stock/files/:id',
  summary: 'Cancels a stock file',
  access: 'its seller',
  scope: 'stock:write',
  params,
  status: 200,
  answer: StockFile,
  refused: { id: null },
  personal: true,
});
