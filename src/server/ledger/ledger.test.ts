import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBooking } from '#contract/bookings/bookings.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { readStatement, readStatementSummary } from '#contract/money/ledger.ts';
import { readSummary } from '#contract/bookings/dashboard.ts';
import { sharesOf } from '#contract/money/shares.ts';
import { moveOrder, type OrderMoveRequest } from '#contract/orders/orders.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { aDeal, aSale } from '#test/deal.ts';
import { aBuyer, anAdmin, aSeller, type TestUser } from '#test/make.ts';
import { textCell } from '#server/platform/files/csv.ts';

let t: TestApp;
let buyer: TestUser;
let admin: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { COMMISSION_PERCENT: '10' } });
  [buyer, admin] = await Promise.all([aBuyer(t), anAdmin(t)]);
});
afterAll(async () => {
  await expectInvariants(t.db);
  await t.close();
});

const entriesOf = async (bookingId: string): Promise<Record<string, Record<string, number>>> => {
  const rows = await t.db
    .selectFrom('ledger_transactions as t')
    .innerJoin('ledger_entries as e', 'e.transaction_id', 't.id')
    .select(['t.kind', 'e.account', 'e.amount_cents as cents'])
    .where('t.booking_id', '=', bookingId)
    .execute();
  const postings: Record<string, Record<string, number>> = {};
  for (const { kind, account, cents } of rows) postings[kind] = { ...postings[kind], [account]: cents };
  return postings;
};

describe('the shares of a price', () => {
  test('are the price to the cent, never below zero, with the fee rounded and the commission rounded down', () => {
    const terms = fc.record({
      feeBasisPoints: fc.integer({ min: 0, max: 2_000 }),
      feeCents: fc.integer({ min: 0, max: 1_000 }),
      commissionBasisPoints: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 9_999_999 }), terms, (price, its) => {
        const { feeCents, commissionCents, sellerCents } = sharesOf(price, its);
        expect(feeCents + commissionCents + sellerCents).toBe(price);
        expect(Math.min(feeCents, commissionCents, sellerCents)).toBeGreaterThanOrEqual(0);
        expect(commissionCents * 10_000).toBeLessThanOrEqual(price * its.commissionBasisPoints);
      }),
    );
  });

  test.each([
    [750, 0, { feeCents: 52, commissionCents: 0, sellerCents: 698 }],
    // 21.75 and 0.5 are rounded up, 75.9 of commission down
    [759, 1_000, { feeCents: 52, commissionCents: 75, sellerCents: 632 }],
    [50, 0, { feeCents: 31, commissionCents: 0, sellerCents: 19 }],
    [50, 5_000, { feeCents: 31, commissionCents: 19, sellerCents: 0 }],
  ])('of %i cents at %i basis points', (price, commissionBasisPoints, shares) => {
    expect(sharesOf(price, { feeBasisPoints: 290, feeCents: 30, commissionBasisPoints })).toEqual(shares);
  });
});

describe('the ledger', () => {
  test('has a sale and its refund once each, and each sums to zero', async () => {
    const sold = await aSale(t, { buyer });
    expect(await entriesOf(sold.bookingId)).toEqual({
      sale: { provider: 750, 'provider-fees': -52, commission: -75, 'seller-pending': -623 },
    });
    await Promise.all([1, 2].map(() => t.call(refundBooking, { params: { id: sold.bookingId } }, { as: admin })));
    expect((await entriesOf(sold.bookingId))['refund']).toEqual({
      'owed-to-buyers': -750,
      'seller-pending': 623,
      commission: 75,
      'refund-costs': 52,
    });
    expect((await entriesOf(sold.bookingId))['refund-sent']).toEqual({ provider: -750, 'owed-to-buyers': 750 });
  });

  test('refuses, whoever writes, what does not sum to zero, and every change', async () => {
    const { bookingId } = await aDeal(t, { buyer });
    const post = (amounts: readonly number[]) =>
      t.db.transaction().execute(async (trx) => {
        const { id } = await trx
          .insertInto('ledger_transactions')
          .values({ kind: 'sale', reference: `by hand ${amounts.length}`, booking_id: bookingId, seller_id: null })
          .returning('id')
          .executeTakeFirstOrThrow();
        const accounts = ['provider', 'commission'] as const;
        for (const [at, amount_cents] of amounts.entries()) {
          const account = accounts[at] ?? 'provider';
          await trx
            .insertInto('ledger_entries')
            .values({ transaction_id: id, account, seller_id: null, amount_cents })
            .execute();
        }
      });
    await expect(post([])).rejects.toThrow('does not balance');
    await expect(post([100])).rejects.toThrow('does not balance');
    await expect(post([100, -99])).rejects.toThrow('does not balance');
    for (const table of ['ledger_transactions', 'ledger_entries'] as const) {
      await expect(t.db.deleteFrom(table).execute()).rejects.toThrow('append-only');
    }
    await expect(t.db.updateTable('ledger_entries').set({ amount_cents: 1 }).execute()).rejects.toThrow('append-only');
  });

  test('payments and paid bookings stand as they are', async () => {
    const sold = await aSale(t, { buyer });
    const booking = t.db.updateTable('bookings').where('id', '=', sold.bookingId);
    await expect(booking.set({ paid_at: null }).execute()).rejects.toThrow('paid for good');
    await expect(booking.set({ price_cents: 50 }).execute()).rejects.toThrow('paid for good');
    const payment = t.db.updateTable('payments').where('booking_id', '=', sold.bookingId);
    await expect(payment.set({ amount_cents: 50 }).execute()).rejects.toThrow('stands as it is');
    await expect(payment.set({ refunded_cents: 751 }).execute()).rejects.toMatchObject({ code: '23514' });
    await expect(t.db.deleteFrom('payments').execute()).rejects.toThrow('append-only');
  });
});

describe('a statement', () => {
  const statement = async (seller: TestUser, query: { limit?: string; cursor?: string } = {}) =>
    t.call(readStatement, { query }, { as: seller });
  const csv = (seller: Partial<TestUser>) => t.send('GET', '/api/statement.csv', { as: seller });

  test('explains every row in a sentence, with the balance after it, page by page', async () => {
    const seller = await aSeller(t);
    const first = await aSale(t, { seller, buyer });
    await aSale(t, { seller, buyer, price: '12.10' });
    await t.call(refundBooking, { params: { id: first.bookingId } }, { as: admin });
    const { body } = await statement(seller);
    expect(body.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['refund', -6.23, 10.24],
      ['sale', 10.24, 16.47],
      ['sale', 6.23, 6.23],
    ]);
    expect(body[2]).toMatchObject({
      bookingId: first.bookingId,
      title: first.copy.title,
      says: `“${first.copy.title}” was sold for $7.50: the payment provider keeps $0.52, the shop’s commission is $0.75, $6.23 is yours.`,
    });
    expect(body[0]?.says).toBe(
      `The sale of “${first.copy.title}” was refunded to its buyer, so your share of it is taken back.`,
    );
    const page = await statement(seller, { limit: '2' });
    const cursor = /cursor=([^&>]+)/.exec(String(page.headers['link']))?.[1] ?? '';
    expect((await statement(seller, { limit: '2', cursor })).body).toEqual([body[2]]);
    const summary = (await t.call(readSummary, {}, { as: seller })).body.seller;
    expect(summary).toMatchObject({ sold: 2, earned: 10.24 });
  });

  test('says what a seller who did not send the book bears, of all of it and of a part', async () => {
    const seller = await aSeller(t);
    const move = async (sale: { bookingId: string }, as: TestUser, body: OrderMoveRequest) => {
      const { orderId } = (await t.call(readBooking, { params: { id: sale.bookingId } }, { as: seller })).body;
      const moved = await t.call(moveOrder, { params: { id: orderId ?? '' }, body }, { as });
      expect([body.move, moved.status]).toEqual([body.move, 200]);
    };
    const refused = await aSale(t, { seller, buyer });
    await move(refused, seller, { move: 'refuse', reason: 'It was sold in the shop' });
    const [whole] = (await statement(seller)).body;
    expect(whole).toMatchObject({ kind: 'refund', amount: -6.75, balance: -0.52 });
    expect(whole?.says).toBe(
      `The sale of “${refused.copy.title}” was refunded to its buyer: your share of it is taken back, and you bear the payment fee of $0.52, which the payment provider keeps.`,
    );
    const torn = await aSale(t, { seller, buyer });
    await move(torn, seller, { move: 'make-ready', place: 'At the counter', times: 'Saturday or Monday' });
    await move(torn, buyer, { move: 'hand-over' });
    await move(torn, buyer, { move: 'report-problem', words: 'A page is torn' });
    await move(torn, seller, { move: 'offer-part', amount: 2 });
    await move(torn, buyer, { move: 'refund-part', amount: 2 });
    const part = (await statement(seller)).body.find(({ kind }) => kind === 'part-refund');
    expect(part?.says).toBe(
      `A part of what was paid for “${torn.copy.title}” was given back to its buyer: your share of it is taken back, and you bear the payment fee on it, which the payment provider keeps.`,
    );
  });

  test('says where the money is and what each year brought, by the shop’s calendar', async () => {
    const seller = await aSeller(t);
    const [first] = [await aSale(t, { seller, buyer }), await aSale(t, { seller, buyer, price: '12.10' })];
    const summary = async () => (await t.call(readStatementSummary, {}, { as: seller })).body;
    expect(await summary()).toMatchObject({ pending: 16.47, due: 0, onItsWay: 0, paidOut: 0 });
    const { year } = (await summary()).years[0] ?? {};
    await t.call(refundBooking, { params: { id: first.bookingId } }, { as: admin });
    expect((await summary()).years).toEqual([
      {
        year,
        sold: 2,
        prices: 19.6,
        postage: 0,
        fees: 1.17,
        commission: 1.96,
        givenBack: 6.23,
        adjusted: 0,
        paidOut: 0,
      },
    ]);
    const rowsOf = async (wanted: string) =>
      (await t.send('GET', `/api/statement.csv?year=${wanted}`, { as: seller })).body.split('\r\n').length - 2;
    expect([await rowsOf(String(year)), await rowsOf('2001')]).toEqual([3, 0]);
    expect((await t.send('GET', '/api/statement.csv?year=1', { as: seller })).statusCode).toBe(400);
  });

  test('is its seller’s alone, and another’s rows are not on it', async () => {
    const [seller, other] = await Promise.all([aSeller(t), aSeller(t)]);
    await aSale(t, { seller, buyer });
    expect((await statement(other)).body).toEqual([]);
    expect((await t.call(readStatement, { query: {} })).status).toBe(401);
    expect((await statement(buyer)).status).toBe(403);
    expect((await csv({})).statusCode).toBe(401);
    expect((await csv(buyer)).statusCode).toBe(403);
    expect((await statement(seller, { cursor: 'bm9uc2Vuc2U' })).status).toBe(400);
  });

  test('is a CSV file of numbers and quoted text, in which nothing is a formula', async () => {
    const seller = await aSeller(t);
    const sold = await aSale(t, { seller, buyer });
    await t.db
      .updateTable('bookings')
      .set({ title: '=HYPERLINK("http://evil","x")' })
      .where('id', '=', sold.bookingId)
      .execute();
    await t.call(refundBooking, { params: { id: sold.bookingId } }, { as: admin });
    const answer = await csv(seller);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="dogear-statement.csv"',
      'cache-control': 'no-store',
    });
    const lines = answer.body.split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFF"Date (UTC)","Row","Booking","Title","Kind","Explanation","Amount (USD)","Balance (USD)","Of it pending (USD)"',
    );
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/,"'=HYPERLINK\(""http:\/\/evil"",""x""\)","sale",.*,6\.23,6\.23$/);
    expect(lines[2]).toMatch(/"refund",.*,-6\.23,0\.00,0\.00$/);
  });

  test.each(['=1', '+1', '-1', '@a', '\t=1', '\r=1', '＝1'])('text %j is no formula', (text) => {
    expect(textCell(text)).toBe(`"'${text}"`);
  });
});
