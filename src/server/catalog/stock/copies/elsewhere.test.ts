import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readListing } from '#contract/catalog/catalog.ts';
import { pauseListing } from '#contract/catalog/pausing.ts';
import { sellElsewhere, undoSoldElsewhere } from '#contract/stock/sold-elsewhere.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aListing, aSeller, type TestUser } from '#test/make.ts';
import { dryRun } from '#test/stock.ts';

let t: TestApp;
let seller: TestUser;
beforeAll(async () => {
  t = await testApp();
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterAll(() => t.close());

const sell = (id: string, as = seller) => t.call(sellElsewhere, { params: { id } }, { as });
const undo = (id: string, as = seller) => t.call(undoSoldElsewhere, { params: { id } }, { as });
const stateOf = async (id: string): Promise<string | undefined> =>
  (await t.db.selectFrom('listings').select('status').where('id', '=', id).executeTakeFirst())?.status;

describe('a copy that was sold elsewhere', () => {
  it('is gone at once, again with the same answer, and is put back', async () => {
    const { _id: id } = await aListing(t, seller);
    expect(await sell(id)).toMatchObject({ status: 200, body: { standing: 'elsewhere', sku: '' } });
    expect(await t.call(readListing, { params: { id } })).toMatchObject({ status: 404 });
    expect(await sell(id)).toMatchObject({ status: 200, body: { standing: 'elsewhere' } });
    expect(await undo(id)).toMatchObject({ status: 200, body: { standing: 'available' } });
    expect(await undo(id)).toMatchObject({ status: 200, body: { standing: 'available' } });
    expect(await t.call(readListing, { params: { id } })).toMatchObject({ status: 200 });
  });

  it('stays while a buyer holds it, with until when, and once it was sold here', async () => {
    const listing = await aListing(t, seller);
    await aBooking(t, await aBuyer(t), listing);
    const held = await sell(listing._id);
    expect(held).toMatchObject({ status: 409, body: { error: { code: 'copy_locked' } } });
    expect(JSON.stringify(held.body)).toMatch(/holds this book until \w{3}, \w{3} \d+, \d+:\d\d [AP]M/);
    expect(await stateOf(listing._id)).toBe('held');
    const sold = await aListing(t, seller);
    await sql`UPDATE listings SET status = 'sold', on_shelf = false WHERE id = ${sold._id}`.execute(t.db);
    expect(await sell(sold._id)).toMatchObject({ status: 409, body: { error: { code: 'copy_locked' } } });
  });

  it('tells whoever waits in its line', async () => {
    const listing = await aListing(t, seller);
    const waiting = await aBuyer(t);
    await t.call(pauseListing, { params: { id: listing._id }, body: { paused: true } }, { as: seller });
    await sql`INSERT INTO waitlist_entries (listing_id, buyer_id) VALUES (${listing._id}, ${waiting.id})`.execute(t.db);
    expect(await sell(listing._id)).toMatchObject({ status: 200 });
    const mails = await t.mailTo(waiting.email);
    expect(mails.at(-1)?.text).toContain(listing.title);
    // It was paused by itself, and is again.
    expect(await undo(listing._id)).toMatchObject({ body: { standing: 'paused' } });
  });

  it('is another’s for nobody else, and not put back after a day', async () => {
    const { _id: id } = await aListing(t, seller);
    const other = await aSeller(t);
    expect(await sell(id, other)).toMatchObject({ status: 404 });
    await sell(id);
    expect(await undo(id, other)).toMatchObject({ status: 404 });
    await sql`UPDATE stock_copies SET sold_at = shop_now() - interval '25 hours' WHERE listing_id = ${id}`.execute(
      t.db,
    );
    expect(await undo(id)).toMatchObject({ status: 409, body: { error: { code: 'stock_state' } } });
    // What was deleted, and not sold, is not here.
    await sql`UPDATE stock_copies SET sold_at = NULL WHERE listing_id = ${id}`.execute(t.db);
    expect(await undo(id)).toMatchObject({ status: 404 });
  });

  it('is taken off the quantity of an older file, and not of a newer one', async () => {
    const { _id: id, category_id: category } = await aListing(t, seller);
    await sell(id);
    const file = `sku,title,price,quantity,condition\n${id},Orlando,8,1,Good\n`;
    const asOf = new Date(Date.now() - 3_600_000).toISOString();
    const choices = { category, location: 'Portland', phone: '1' };
    expect(await dryRun(t, seller, file, { ...choices, asOf })).toMatchObject({ counts: { added: 0, soldHere: 1 } });
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await dryRun(t, seller, file, { ...choices, asOf: later })).toMatchObject({ counts: { added: 1 } });
  });
});
