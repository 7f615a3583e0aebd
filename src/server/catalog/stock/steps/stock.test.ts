import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { declare, readDeclaration } from '#contract/law/declaration.ts';
import { saveSellerPage } from '#contract/sellers/sellers.ts';
import type { StockChoices } from '#contract/stock/stock-files.ts';
import { bringShelvesBack } from '#server/bookings/pausing/pausing.service.ts';
import { holdingOf } from '#server/moderation/reports/holding.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller, type TestUser } from '#test/make.ts';
import { announceStockFile, chooseStock, commitStock } from '#contract/stock/stock-files.ts';
import {
  commitFile,
  digestHeader,
  dryRun,
  sendPart,
  stockFile,
  undoFile,
  uploadStock,
  workOnFiles,
} from '#test/stock.ts';
import { findFile, type FileRow } from '#server/catalog/stock/files/stock-files.queries.ts';
import { compareStockFile } from './comparing.service.ts';
import { readStockFile } from './reading.service.ts';
import { workOnStock } from './stock-job.service.ts';
import { tellStockWritten } from './telling.service.ts';
import { forgetStock, tidyStock } from './tidying.service.ts';

let t: TestApp;
let seller: TestUser;
let choices: StockChoices;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  seller = await aSeller(t);
  choices = { category: await aCategory(t, seller), location: 'Portland, OR', phone: '+1 503 555 0100' };
});
afterAll(() => t.close());

const HEADER = 'sku,title,author,isbn,price,quantity,description,condition,binding,shelf,status';
const csv = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
const DUNE = '007,Dune,Frank Herbert,9780441172719,8.50,1,"Spine creased, else sound",VG,Paperback,A3,';
const EMMA = '8,Emma,Jane Austen,,12.00,2,,Fine,Hardcover,,';

interface Shown {
  sku: string;
  number: number;
  title: string;
  cents: number;
  status: string;
  condition: string;
}
const copies = async (of = seller): Promise<Shown[]> => {
  const { rows } = await sql<Shown>`
    SELECT s.sku, s.number, l.title, l.resale_cents AS cents, l.status, l.condition
    FROM stock_copies AS s JOIN listings AS l ON l.id = s.listing_id
    WHERE s.seller_id = ${of.id} ORDER BY s.sku, s.number`.execute(t.db);
  return rows;
};
const idOf = async (sku: string, number = 1): Promise<string> => {
  const { rows } = await sql<{ id: string }>`SELECT listing_id AS id FROM stock_copies
    WHERE seller_id = ${seller.id} AND sku = ${sku} AND number = ${number}`.execute(t.db);
  return rows[0]?.id ?? '';
};
const write = async (text: string, more: StockChoices = {}) => {
  const file = await dryRun(t, seller, text, { ...choices, ...more });
  return commitFile(t, seller, file.id);
};

describe('a stock file', () => {
  it('is compared first, with nothing written, and then written', async () => {
    const file = await dryRun(t, seller, csv(DUNE, EMMA, '9,,,,4,1,,Good,,,'), choices);
    expect(file).toMatchObject({ state: 'ready', counts: { rows: { new: 2, refused: 1 }, added: 3, withdrawn: 0 } });
    expect(await copies()).toEqual([]);
    expect(await commitFile(t, seller, file.id)).toMatchObject({ state: 'done', counts: { added: 3 } });
    expect(await copies()).toEqual([
      { sku: '007', number: 1, title: 'Dune', cents: 850, status: 'available', condition: 'Good' },
      { sku: '8', number: 1, title: 'Emma', cents: 1_200, status: 'available', condition: 'Excellent' },
      { sku: '8', number: 2, title: 'Emma', cents: 1_200, status: 'available', condition: 'Excellent' },
    ]);
    const mails = await t.mailTo(seller.email);
    expect(mails[0]?.subject).toBe('Your stock file is in the shop: stock.csv');
  });

  it('is looked at again where its seller chose otherwise while it was looked at', async () => {
    const text = csv('1,Dune,,,8.50,1,,Good,,,S', '2,Emma,,,9.00,1,,Good,,,H');
    const { id, choices: first } = await dryRun(t, seller, text, choices);
    const { db } = t.payments;
    const choose = (statuses: StockChoices['statuses'], more: StockChoices = {}) =>
      t.call(chooseStock, { params: { id }, body: { ...first, statuses, ...more } }, { as: seller });
    const began = async (): Promise<FileRow> => {
      const file = await findFile(db, id);
      if (file === undefined) throw new Error('there is no such file');
      return file;
    };
    const asLastChosen = { state: 'ready', counts: { added: 2, rows: { refused: 0 } } };
    const { signal } = new AbortController();
    await choose({ S: 'sale' });
    const comparing = await began();
    await choose({ S: 'sale', H: 'pause' });
    await compareStockFile(db, comparing, signal);
    expect(await stockFile(t, seller, id)).toMatchObject({ state: 'comparing' });
    await workOnFiles(t);
    expect(await stockFile(t, seller, id)).toMatchObject(asLastChosen);
    await choose({ S: 'sale', H: 'pause' }, { delimiter: ';' });
    const reading = await began();
    await choose({ S: 'sale', H: 'pause' }, { delimiter: ',' });
    await readStockFile(db, reading, signal);
    expect(await stockFile(t, seller, id)).toMatchObject({ state: 'reading' });
    await workOnFiles(t);
    expect(await stockFile(t, seller, id)).toMatchObject(asLastChosen);
  });

  it('writes nothing when it comes again', async () => {
    await write(csv(DUNE, EMMA));
    const { rows: before } = await sql<{ xmin: string }>`SELECT xmin::text FROM listings
      WHERE seller_id = ${seller.id} ORDER BY id`.execute(t.db);
    const again = await dryRun(t, seller, csv(EMMA, DUNE), choices);
    expect(again.counts).toMatchObject({ rows: { unchanged: 2, new: 0, changed: 0 }, added: 0, changed: 0 });
    await commitFile(t, seller, again.id);
    const { rows: after } = await sql<{ xmin: string }>`SELECT xmin::text FROM listings
      WHERE seller_id = ${seller.id} ORDER BY id`.execute(t.db);
    expect(after).toEqual(before);
  });

  it('changes what it says, adds and takes away copies, and means nothing by an absent row', async () => {
    await write(csv(DUNE, EMMA));
    await write(csv('8,Emma,Jane Austen,,11.00,3,,Fine,Hardcover,,'));
    expect((await copies()).map(({ sku, cents, status }) => [sku, cents, status])).toEqual([
      ['007', 850, 'available'],
      ['8', 1_100, 'available'],
      ['8', 1_100, 'available'],
      ['8', 1_100, 'available'],
    ]);
    await write(csv('8,,,,,0,,,,,'));
    expect((await copies()).map(({ status }) => status)).toEqual(['available', 'withdrawn', 'withdrawn', 'withdrawn']);
    await write(csv('007,Dune,Frank Herbert,9780441172719,8.50,1,,VG,Paperback,A3,On Hold'));
    expect((await copies())[0]?.status).toBe('paused');
    await write(csv('007,Dune,Frank Herbert,9780441172719,8.50,1,,VG,Paperback,A3,For Sale'));
    await bringShelvesBack(t.payments.db, 30, (error) => {
      throw error;
    });
    expect((await copies())[0]?.status).toBe('available');
  });

  it('leaves what a buyer has, and takes what was sold here off its quantities', async () => {
    await write(csv(DUNE, EMMA));
    const [dune, emma] = [await idOf('007'), await idOf('8')];
    const asOf = new Date().toISOString();
    await t.db.updateTable('listings').set({ status: 'held' }).where('id', '=', dune).execute();
    await t.db.updateTable('listings').set({ status: 'held' }).where('id', '=', emma).execute();
    await t.db.updateTable('listings').set({ status: 'sold', on_shelf: false }).where('id', '=', emma).execute();
    const file = await dryRun(t, seller, csv('007,Dune,,,9,0,,,,,', EMMA), { ...choices, asOf });
    expect(file.counts).toMatchObject({ rows: { unchanged: 2 }, soldHere: 1, kept: 1, withdrawn: 0, added: 0 });
    // A file that knows of the sale has two more on the shelf.
    const later = await dryRun(t, seller, csv(EMMA), { ...choices, asOf: new Date().toISOString() });
    expect(later.counts).toMatchObject({ soldHere: 0, added: 1 });
  });

  it('as the whole stock takes away what it does not name, once the number was typed', async () => {
    await write(csv(DUNE, EMMA));
    const file = await dryRun(t, seller, csv(DUNE), { ...choices, isWholeStock: true });
    expect(file.counts?.missing).toBe(2);
    await expect(commitFile(t, seller, file.id)).rejects.toThrow('stock_missing');
    await commitFile(t, seller, file.id, 2);
    expect((await copies()).map(({ status }) => status)).toEqual(['available', 'withdrawn', 'withdrawn']);
  });

  it('is undone whole, but for what is held or sold by then', async () => {
    await write(csv(DUNE));
    const file = await write(csv('007,Dune,Frank Herbert,9780441172719,5.00,1,,VG,Paperback,A3,', EMMA));
    await t.db
      .updateTable('listings')
      .set({ status: 'held' })
      .where('id', '=', await idOf('8', 2))
      .execute();
    const undone = await undoFile(t, seller, file.id);
    expect(undone).toMatchObject({ state: 'undone', left: [{ sku: '8', title: 'Emma', status: 'Reserved' }] });
    expect((await copies()).map(({ sku, cents, status }) => [sku, cents, status])).toEqual([
      ['007', 850, 'available'],
      ['8', 1_200, 'withdrawn'],
      ['8', 1_200, 'held'],
    ]);
  });

  it('asks for what rows lack, and refuses a number that means two things', async () => {
    const rows = csv(
      '1,Dune,,,,1,,,,,',
      '2,Emma,,,3,1,,,,,',
      '3,A,,,3,1,,Good,,,',
      '3,B,,,3,1,,Good,,,',
      '2,Emma,,,3,1,,,,,',
    );
    const file = await dryRun(t, seller, rows, choices);
    expect(file.counts).toMatchObject({ rows: { refused: 4, again: 1 }, asks: ['condition', 'price'] });
    const answered = await dryRun(t, seller, rows, { ...choices, condition: 'Good', price: '5' });
    expect(answered.counts).toMatchObject({ rows: { new: 2, refused: 2, again: 1 }, asks: [] });
  });

  it('remembers what its seller corrected and said the last time', async () => {
    const text = 'number;what;cost;st\n1;Emma;4,00;S\n';
    const columns = ['sku', 'title', 'price', 'status'];
    const first = await dryRun(t, seller, text, { ...choices, condition: 'Good', columns, statuses: { S: 'sale' } });
    expect(first.counts?.rows.new).toBe(1);
    await commitFile(t, seller, first.id);
    const next = await dryRun(t, seller, text.replace('1;Emma', '2;Persuasion'));
    expect(next).toMatchObject({
      choices: { condition: 'Good', statuses: { S: 'sale' } },
      counts: { rows: { new: 1 } },
    });
  });

  it('begins with what the settings of the shop say, until copies or an earlier file say otherwise', async () => {
    await t.call(saveSellerPage, { body: { about: '', place: 'Salem, OR' } }, { as: seller });
    const trader = {
      business: 'Marlow Books',
      address: '1 Paper Lane',
      country: 'US',
      email: 'shop@example.com',
      phone: '+1 503 555 0111',
    };
    const { terms } = (await t.call(readDeclaration, {}, { as: seller })).body;
    await t.call(declare, { body: { kind: 'trader', adult: true, terms, ...trader } }, { as: seller });
    const proposedTo = async () => {
      const sent = { params: { id: randomUUID() }, body: { name: 'stock.csv', size: 9 } };
      const { location, phone } = (await t.call(announceStockFile, sent, { as: seller })).body.choices;
      return { location, phone };
    };
    expect(await proposedTo()).toEqual({ location: 'Salem, OR', phone: '+1 503 555 0111' });
    await aListing(t, seller, { location: 'Bend, OR', phone: '+1 541 555 0122' });
    expect(await proposedTo()).toEqual({ location: 'Bend, OR', phone: '+1 541 555 0122' });
    await write(csv(DUNE));
    expect(await proposedTo()).toEqual({ location: 'Portland, OR', phone: '+1 503 555 0100' });
  });

  it('that is ended in the middle of being written is gone on with: each copy is there once', async () => {
    const rows = Array.from({ length: 1_200 }, (_, n) => `K-${n},Book ${n},,,4,1,,Good,,,`);
    const file = await dryRun(t, seller, csv(...rows), choices);
    await t.call(commitStock, { params: { id: file.id }, body: {} }, { as: seller });
    const ended = new AbortController();
    let looked = 0;
    const holdForLook = async (): Promise<boolean> => {
      looked += 1;
      if (looked === 600) ended.abort();
      return false;
    };
    await workOnStock({ db: t.payments.db, tellDone: tellStockWritten, holdForLook }, ended.signal);
    expect(await stockFile(t, seller, file.id)).toMatchObject({ state: 'committing', doneRows: 1_000 });
    await workOnFiles(t);
    expect(await stockFile(t, seller, file.id)).toMatchObject({ state: 'done', counts: { added: 1_200 } });
    expect(await copies()).toHaveLength(1_200);
    expect(new Set((await copies()).map(({ sku }) => sku)).size).toBe(1_200);
  });

  it('whose name says purge is taken for the whole stock, and takes nothing away before the number is typed', async () => {
    await write(csv(DUNE, EMMA));
    const file = await dryRun(t, seller, csv(DUNE), undefined, 'Purge-2026.csv');
    expect(file).toMatchObject({ choices: { isWholeStock: true }, counts: { missing: 2 } });
    const commit = (missing: number) =>
      t.send('POST', `/api/stock/files/${file.id}/commit`, { as: seller, body: { missing } });
    expect((await commit(0)).json().error.code).toBe('stock_missing');
    expect(await copies()).toHaveLength(3);
    expect((await commit(2)).statusCode).toBe(200);
    const other = await dryRun(t, await aSeller(t), csv(DUNE), undefined, 'spring.csv');
    expect(other.choices.isWholeStock).toBeUndefined();
  });

  it('of copies that we look at first is told in one mail, and not in one for each', async () => {
    const file = await dryRun(t, seller, csv('A,Emma,,,4,2,,Good,,,', 'B,Dune,,,5,2,,Good,,,'), choices);
    await t.call(commitStock, { params: { id: file.id }, body: {} }, { as: seller });
    const holdForLook = holdingOf({ firstListings: 3, belowPercent: 0 });
    const deps = { db: t.payments.db, tellDone: tellStockWritten, holdForLook };
    await workOnStock(deps, new AbortController().signal);
    expect((await copies()).map(({ status }) => status).toSorted()).toEqual([
      'available',
      'paused',
      'paused',
      'paused',
    ]);
    const mails = await t.mailTo(seller.email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your stock file is in the shop: stock.csv']);
    expect(mails[0]?.text).toMatch(/Copies we look at before they go live:? +3/);
  });

  it('that fails while it is written can be tried again, and undone whole', async () => {
    const file = await dryRun(t, seller, csv(DUNE, EMMA), choices);
    await t.call(commitStock, { params: { id: file.id }, body: {} }, { as: seller });
    const tellDone = () => Promise.reject(new Error('no mail'));
    await expect(workOnStock({ db: t.payments.db, tellDone }, new AbortController().signal)).rejects.toThrow('no mail');
    const failed = await stockFile(t, seller, file.id);
    expect(failed).toMatchObject({ state: 'ready', problem: expect.stringContaining('try it again') });
    expect(await commitFile(t, seller, file.id)).toMatchObject({ state: 'done', problem: '' });
    expect(await copies()).toHaveLength(3);
    await undoFile(t, seller, file.id);
    expect((await copies()).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
  });

  it('takes bytes of its seller alone, once, and as they were sent', async () => {
    const id = await uploadStock(t, seller, csv(DUNE));
    const other = await aSeller(t);
    expect((await sendPart(t, other, id, 0, Buffer.from('x'))).statusCode).toBe(404);
    const next = randomUUID();
    const announce = () => t.send('PUT', `/api/stock/files/${next}`, { as: seller, body: { name: 'b.csv', size: 3 } });
    expect((await announce()).json().error.code).toBe('stock_busy');
    await workOnFiles(t);
    expect((await announce()).statusCode).toBe(200);
    expect((await sendPart(t, seller, next, 0, Buffer.from('four'))).statusCode).toBe(400);
    const url = `/api/stock/files/${next}/parts/0`;
    const headers = { authorization: `Bearer ${seller.accessToken}`, ...digestHeader(Buffer.from('abc')) };
    const torn = await t.app.inject({ method: 'PUT', url, headers, payload: Buffer.from('abd') });
    expect(torn.statusCode).toBe(400);
    expect((await sendPart(t, seller, next, 1, Buffer.from('abc'))).statusCode).toBe(400);
    expect((await sendPart(t, seller, next, 0, Buffer.from('abc'))).json()).toMatchObject({ state: 'reading' });
    // It comes again, as after an answer that was lost.
    expect((await sendPart(t, seller, next, 0, Buffer.from('abc'))).statusCode).toBe(200);
    expect((await t.send('DELETE', `/api/stock/files/${next}`, { as: seller })).json().state).toBe('cancelled');
  });

  it('of somebody who leaves is forgotten, with what only they saw', async () => {
    await write(csv(DUNE));
    await forgetStock(t.payments.db, seller.id);
    expect(await t.db.selectFrom('stock_files').select('id').where('seller_id', '=', seller.id).execute()).toEqual([]);
    const kept = t.db.selectFrom('stock_copies').select(['sku', 'shelf', 'note']).where('seller_id', '=', seller.id);
    expect(await kept.execute()).toEqual([{ sku: '007', shelf: '', note: '' }]);
  });

  it('that is old keeps neither rows nor bytes, and cannot be undone', async () => {
    const file = await write(csv(DUNE));
    await sql`UPDATE stock_files SET committed_at = committed_at - interval '25 hours' WHERE id = ${file.id}`.execute(
      t.db,
    );
    await tidyStock(t.payments.db);
    expect(await t.db.selectFrom('stock_rows').select('line').where('file_id', '=', file.id).execute()).toEqual([]);
    expect((await t.send('POST', `/api/stock/files/${file.id}/undo`, { as: seller })).statusCode).toBe(409);
  });

  it('never puts a book up again that was listed by hand and sold here since it was exported', async () => {
    const { _id: id } = await aListing(t, seller, { title: 'By hand' });
    const exported = (await t.send('GET', '/api/stock/export?format=csv', { as: seller })).body;
    await t.db.updateTable('listings').set({ status: 'held' }).where('id', '=', id).execute();
    await t.db.updateTable('listings').set({ status: 'sold', on_shelf: false }).where('id', '=', id).execute();
    const file = await dryRun(t, seller, exported, choices);
    expect(file.counts).toMatchObject({ rows: { unchanged: 1 }, added: 0, soldHere: 1 });
  });

  it('waits for its seller beside two others: the oldest is cancelled when another comes', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await dryRun(t, seller, csv(`${n},Emma,,,4,1,,Good,,,`), choices)).id);
    const states = await Promise.all(ids.map(async (id) => (await stockFile(t, seller, id)).state));
    expect(states).toEqual(['cancelled', 'ready', 'ready', 'ready']);
  });
});
