import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';
import { forgetPlaces } from '#server/orders/leaving/forgetting.queries.ts';

let t: TestApp;
let admin: TestUser;

beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});

afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const { sold, posted, move, read, ahead, onAccount, refunded } = orderSteps(() => t);

const TOO_LATE = { status: 409, body: { error: { code: 'order_moved' } } };

const complained = async (): Promise<Sold> => {
  const sale = await posted();
  await move(sale, sale.buyer, { move: 'receive' });
  const words = { move: 'report-problem', words: 'Half of the pages are missing' };
  expect(await move(sale, sale.buyer, words)).toMatchObject({ body: { state: 'problem' } });
  return sale;
};

/** What time does next with an order, and when. */
const dueOf = async (sale: Sold) => (await read(sale, sale.buyer)).due;

describe('an order that did not come', () => {
  const missing = { move: 'report-missing', words: 'There is nothing in the letter box' };

  test('cannot be asked back by a seller who never posted it: silent, they lose the money', async () => {
    const sale = await posted();
    await ahead(10.1);
    expect(await move(sale, sale.buyer, missing)).toMatchObject({ body: { state: 'problem' } });
    expect((await read(sale, sale.seller)).moves).toEqual(['refund-problem', 'offer-part', 'ask-admin']);
    expect(await move(sale, sale.seller, { move: 'ask-back' })).toMatchObject(TOO_LATE);
    await ahead(7);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed', outcome: 'refunded' });
    expect([await refunded(sale), await onAccount(sale, 'seller')]).toEqual([750, 52]);
  });

  test('and has no number is not to be settled: its money goes back, now or by itself', async () => {
    const sale = await sold();
    await t.db.updateTable('orders').set({ delivery: 'post' }).where('id', '=', sale.orderId).execute();
    expect(await move(sale, sale.seller, { move: 'post' })).toMatchObject({ body: { state: 'posted' } });
    await ahead(10.1);
    await move(sale, sale.buyer, missing);
    expect((await read(sale, sale.seller)).moves).toEqual(['refund-problem']);
    expect((await read(sale, sale.buyer)).moves).toEqual(['keep']);
    for (const id of ['offer-part', 'ask-admin', 'ask-back']) {
      expect(await move(sale, sale.seller, { move: id, amount: 1 }), id).toMatchObject(TOO_LATE);
    }
    await ahead(7);
    expect([(await read(sale, sale.buyer)).outcome, await refunded(sale)]).toEqual(['refunded', 750]);
  });
});

test('a complaint says which statement of the promise is not kept, if its buyer knows', async () => {
  for (const [more, statement] of [
    [{ statement: 'condition' }, 'condition'],
    [{ kind: 'not-as-described' }, null],
    // What is damaged was described well.
    [{ kind: 'damaged', statement: 'title' }, null],
  ] as const) {
    const sale = await posted();
    await move(sale, sale.buyer, { move: 'receive' });
    expect(await move(sale, sale.buyer, { move: 'report-problem', words: 'So not', ...more })).toMatchObject({
      status: 200,
    });
    for (const as of [sale.buyer, sale.seller]) {
      expect((await read(sale, as)).problem).toMatchObject({ statement, words: 'So not' });
    }
    const mails = await t.db
      .selectFrom('outbox')
      .select('data')
      .where('key', 'like', `order:${sale.orderId}:%`)
      .where(sql<string>`data ->> 'about'`, '=', 'report-problem')
      .execute();
    expect(mails).toMatchObject([{ data: { reason: 'So not', ...(statement !== null && { statement }) } }]);
  }
});

describe('an offer', () => {
  test('is taken as its buyer saw it: one that was lowered meanwhile is not', async () => {
    const sale = await complained();
    await move(sale, sale.seller, { move: 'offer-part', amount: 5 });
    await move(sale, sale.seller, { move: 'offer-part', amount: 0.01 });
    const bait = await move(sale, sale.buyer, { move: 'refund-part', amount: 5 });
    expect(bait).toMatchObject({ status: 409, body: { error: { code: 'order_moved' } } });
    expect(bait.body.error?.message).toContain('$0.01');
    const blind = await move(sale, sale.buyer, { move: 'refund-part' });
    expect(blind).toMatchObject({ status: 400, body: { error: { fields: { amount: expect.any(String) } } } });
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'problem', books: [{ refunding: 0 }] });
    const taken = await move(sale, sale.buyer, { move: 'refund-part', amount: 0.01 });
    expect(taken).toMatchObject({ body: { state: 'closed' } });
    await ahead(0.1);
    expect(await refunded(sale)).toBe(1);
  });
});

describe('a book that its seller asks back', () => {
  const sendBack = 'The label is at https://label.example/1.\nIt goes to 1 Elm Street, Portland.';

  test('comes with how it is sent at the seller’s cost and where to, on the page and by mail', async () => {
    const sale = await complained();
    for (const mute of [{ move: 'ask-back' }, { move: 'ask-back', sendBack: ' ' }]) {
      const refused = await move(sale, sale.seller, mute);
      expect(refused).toMatchObject({ status: 400, body: { error: { fields: { sendBack: expect.any(String) } } } });
    }
    expect(await move(sale, sale.seller, { move: 'ask-back', sendBack })).toMatchObject({ status: 200 });
    for (const as of [sale.buyer, sale.seller, admin])
      expect((await read(sale, as)).problem).toMatchObject({ sendBack });
    const letter = (await t.mailTo(sale.buyer.email)).find(({ subject }) => subject.startsWith('Send it back'));
    expect(letter?.text).toContain('1 Elm Street, Portland');
    // Not in what stays of the timeline.
    expect((await read(sale, sale.buyer)).events.at(-1)).toMatchObject({ move: 'ask-back', reason: '' });
    await ahead(10.1);
    expect((await read(sale, sale.buyer)).problem).toMatchObject({ sendBack });
    await ahead(30);
    expect((await read(sale, sale.buyer)).problem).toMatchObject({ sendBack: '' });
    expect((await read(sale, sale.seller)).problem).toMatchObject({ sendBack });
  });

  test('leaves nothing of where it was to come back to once the shop forgets addresses', async () => {
    const sale = await complained();
    await move(sale, sale.seller, { move: 'ask-back', sendBack });
    await ahead(10.1);
    await ahead(181);
    await t.db.transaction().execute((trx) => forgetPlaces(trx, 180, 100));
    const row = t.db.selectFrom('order_problems').select('send_back').where('order_id', '=', sale.orderId);
    expect(await row.executeTakeFirst()).toEqual({ send_back: null });
  });
});

describe('the end of a problem', () => {
  test('is not put off by another offer', async () => {
    const sale = await complained();
    await move(sale, sale.seller, { move: 'offer-part', amount: 0.01 });
    const due = await dueOf(sale);
    expect(due).toMatchObject({ move: 'ask-admin' });
    await ahead(1);
    expect(await move(sale, sale.seller, { move: 'offer-part', amount: 0.02 })).toMatchObject({ status: 200 });
    expect(await read(sale, sale.buyer)).toMatchObject({ due, problem: { offer: 0.02 } });
  });

  test('is the shop’s once it was asked: nobody asks again, offers or wants it back', async () => {
    const sale = await complained();
    await move(sale, sale.seller, { move: 'offer-part', amount: 2 });
    expect(await move(sale, sale.seller, { move: 'ask-admin' })).toMatchObject({ status: 200 });
    const due = await dueOf(sale);
    await ahead(30);
    for (const id of ['ask-admin', 'offer-part', 'ask-back']) {
      expect(await move(sale, sale.seller, { move: id, amount: 3 }), id).toMatchObject(TOO_LATE);
    }
    expect(await move(sale, sale.buyer, { move: 'ask-admin' })).toMatchObject(TOO_LATE);
    expect(await dueOf(sale)).toEqual(due);
    // What was offered before can still be agreed on.
    expect((await read(sale, sale.seller)).moves).toEqual(['refund-problem']);
    expect((await read(sale, sale.buyer)).moves).toEqual(['refund-part', 'keep']);
    expect((await read(sale, admin)).moves).toEqual(['refund-problem', 'refund-part', 'keep']);
    await ahead(30.1);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed', outcome: 'refunded' });
  });

  test('comes by itself for an offer that nobody answers: the shop is asked, for 60 days', async () => {
    const sale = await complained();
    await move(sale, sale.seller, { move: 'offer-part', amount: 2 });
    await ahead(6);
    expect(await read(sale, sale.seller)).toMatchObject({ state: 'problem', due: { move: 'refund-problem' } });
    expect(await move(sale, sale.seller, { move: 'ask-admin' })).toMatchObject(TOO_LATE);
    await ahead(60.1);
    expect(await read(sale, sale.buyer)).toMatchObject({ state: 'closed', outcome: 'refunded' });
  });
});
