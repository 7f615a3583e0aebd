import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/stock/stock-files.ts';
import * as exporting from '#contract/stock/stock-export.ts';
import { createBodyReader } from '#server/http/body-reader.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { serve } from '#server/http/serve.ts';
import { exportStock } from '#server/catalog/stock/exporting/export.service.ts';
import {
  announceStockFile,
  cancelStock,
  chooseStock,
  commitStock,
  listStockFiles,
  listStockRows,
  mendStockRow,
  readStockFile,
  undoStock,
  uploadStockPart,
  writeRefused,
  type AnnounceDeps,
} from './stock-files.service.ts';

/** Thirteen parts of the largest file, with tries that come again. */
const PARTS = perAccount(600);
const FILES = perAccount(120);
/** Choices and mended rows. */
const CHANGES = perAccount(3_000);
const EXPORTS = perAccount(60);
/** Parts that may be on their way into one process. */
const MOST_ARRIVING = 100_000_000;

/** /stock/files: files of a seller's stock on their way into the shop. */
export const stockRoutes = async (app: FastifyInstance, deps: AnnounceDeps): Promise<void> => {
  const { db, mode } = deps;
  const read = createBodyReader({
    mostBytes: contract.STOCK_PART_BYTES,
    mostArriving: MOST_ARRIVING,
    tooLarge: 'A part may have 4 MiB at most',
    tooMany: 'Many files come in at once; please try again',
    broken: 'The part did not arrive whole',
  });
  serve(app, contract.listStockFiles, 'seller', ({ viewer }) => listStockFiles(db, viewer));
  serve(app, contract.announceStockFile, { guard: 'seller', limits: [FILES] }, ({ viewer, params, body }) =>
    announceStockFile(deps, viewer, { id: params.id, ...body }),
  );
  // A scope of its own, where a body of any type is left to be read piece by piece.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
    serve(scope, contract.uploadStockPart, { guard: 'seller', limits: [PARTS] }, ({ viewer, params, reply }) => {
      const { request } = reply;
      const contentDigest = request.headers['content-digest'];
      return read(request, reply, (bytes) =>
        uploadStockPart(db, viewer, { id: params.id, part: Number(params.part), bytes, contentDigest }),
      );
    });
  });
  serve(app, contract.readStockFile, 'seller', ({ viewer, params }) => readStockFile(db, viewer, params.id));
  serve(app, contract.chooseStock, { guard: 'seller', limits: [CHANGES] }, ({ viewer, params, body }) =>
    chooseStock(db, viewer, { id: params.id, choices: body }),
  );
  serve(app, contract.listStockRows, 'seller', ({ viewer, params, query }) =>
    listStockRows(db, viewer, { id: params.id, ...query }),
  );
  serve(app, contract.mendStockRow, { guard: 'seller', limits: [CHANGES] }, ({ viewer, params, body }) =>
    mendStockRow(db, viewer, { id: params.id, line: Number(params.line), cells: body.cells }),
  );
  serve(app, contract.downloadRefused, 'seller', ({ viewer, params }) => writeRefused(db, viewer, params.id));
  serve(app, contract.commitStock, { guard: 'seller', limits: [FILES] }, ({ viewer, params, body }) =>
    commitStock(db, viewer, { id: params.id, missing: body.missing }, mode),
  );
  serve(app, contract.undoStock, { guard: 'seller', limits: [FILES] }, ({ viewer, params }) =>
    undoStock(db, viewer, params.id),
  );
  serve(app, exporting.exportStock, { guard: 'seller', limits: [EXPORTS] }, ({ viewer, query }) =>
    exportStock(db, viewer, query.format),
  );
  serve(app, contract.cancelStock, { guard: 'seller', limits: [FILES] }, ({ viewer, params }) =>
    cancelStock(db, viewer, params.id),
  );
};
