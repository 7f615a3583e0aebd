import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listMyBuyers } from '#contract/bookings/bookings.ts';
import { rowWords } from '#contract/orders/order-row.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale } from '#test/deal.ts';
import { aBooking, aBuyer, aCategory, aListing, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';

let t: TestApp;
let buyer: TestUser;
beforeAll(async () => {
  t = await testApp();
  buyer = await aUser(t, { roles: ['buyer'], name: 'Bea Buyer' });
});
afterAll(() => t.close());

const list = (of: TestUser, as: TestUser | undefined = of, more = {}) =>
  t.call(listMyBuyers, { query: { email: of.email, ...more } }, { as });

/** The ids of all pages. */
const readThrough = async (seller: TestUser, limit: string): Promise<string[]> => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(seller, seller, { limit, cursor });
    seen.push(...page.body.map(({ _id }) => _id));
    cursor = /cursor=([^&>]+)/.exec(String(page.headers['link'] ?? ''))?.[1];
  } while (cursor !== undefined);
  return seen;
};

describe('GET /bookings/my_buyers', () => {
  test('is refused to visitors, to whoever does not sell, and for another address', async () => {
    const seller = await aSeller(t);
    const query = { email: seller.email };
    expect((await t.call(listMyBuyers, { query })).status).toBe(401);
    for (const user of [buyer, await anAdmin(t), await aSeller(t)]) {
      const refused = await list(seller, user);
      expect([refused.status, Object.keys(refused.body)]).toEqual([403, ['error']]);
    }
    expect((await t.send('GET', '/api/bookings/my_buyers', { as: seller })).statusCode).toBe(400);
  });

  test("lists who booked the seller's own copies, without a way to reach them until it is paid", async () => {
    const [seller, other] = await Promise.all([aUser(t, { roles: ['seller', 'admin'] }), aSeller(t)]);
    const [copy, theirs] = [await aListing(t, seller), await aListing(t, other)];
    const id = await aBooking(t, buyer, copy);
    await aBooking(t, buyer, theirs);
    const { status, body, headers } = await list(seller);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual([
      {
        _id: id,
        listingId: copy._id,
        title: copy.title,
        authors: '',
        image_url: copy.image_url,
        buyer: 'Bea Buyer',
        phone: '',
        location: '',
        price: copy.resale_price,
        paid: false,
        paidAt: null,
        processing: false,
        refunded: false,
        refundedAt: null,
        cancelled: false,
        hold: 'held',
        holdExpiresAt: expect.stringMatching(/Z$/),
        bookedAt: expect.stringMatching(/Z$/),
        orderId: null,
        order: null,
      },
    ]);
    await t.db.updateTable('bookings').set({ paid_at: new Date() }).where('id', '=', id).execute();
    expect((await list(seller)).body[0]).toMatchObject({
      paid: true,
      paidAt: expect.stringMatching(/Z$/),
      phone: '+1 555 0199',
      location: 'Seattle',
      hold: 'none',
    });
  });

  test('is empty for a seller whose copies nobody booked', async () => {
    const { status, body } = await list(await aSeller(t));
    expect([status, body]).toEqual([200, []]);
  });

  test('is paged, newest first, each booking once', async () => {
    const seller = await aSeller(t);
    const category_id = await aCategory(t, seller);
    const users = await Promise.all([aBuyer(t), aBuyer(t)]);
    const booked: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const user = users[count % 2] ?? buyer;
      booked.unshift(await aBooking(t, user, await aListing(t, seller, { category_id })));
    }
    expect(await readThrough(seller, '2')).toEqual(booked);
  });

  test('has what is due on top, the soonest first, then the newest, each booking once', async () => {
    const seller = await aSeller(t);
    const unpaid = await aBooking(t, buyer, await aListing(t, seller));
    const sales = [await aSale(t, { seller }), await aSale(t, { seller }), await aSale(t, { seller })];
    const [late, closed, soon] = sales.map(({ bookingId }) => bookingId);
    const days = { [late ?? '']: 9, [soon ?? '']: 1 };
    for (const [id, count] of Object.entries(days)) {
      const due = sql<Date>`now() + make_interval(days => ${count}::integer)`;
      const order = t.db.selectFrom('bookings').select('order_id').where('id', '=', id);
      await t.db.updateTable('orders').set({ due_at: due }).where('id', '=', order).execute();
    }
    const over = { state: 'closed', outcome: 'kept', due_at: null, due_move: null } as const;
    const order = t.db
      .selectFrom('bookings')
      .select('order_id')
      .where('id', '=', closed ?? '');
    await t.db
      .updateTable('orders')
      .set({ ...over, closed_at: sql<Date>`now()` })
      .where('id', '=', order)
      .execute();

    const { body } = await list(seller);
    expect(body.map(({ _id }) => _id)).toEqual([soon, late, closed, unpaid]);
    expect(body.map((row) => row.order && [row.order.id, row.order.state, row.order.dueMove])).toEqual([
      [body[0]?.orderId, 'paid', 'cancel-unposted'],
      [body[1]?.orderId, 'paid', 'cancel-unposted'],
      [body[2]?.orderId, 'closed', ''],
      null,
    ]);
    expect(body[0]?.order).toMatchObject({ outcome: '', frozen: false, deciding: false, closedAt: null });
    expect([body[0]?.order?.dueAt, body[2]?.order?.closedAt]).toEqual([
      expect.stringMatching(/Z$/),
      expect.stringMatching(/Z$/),
    ]);
    for (const limit of ['1', '2', '3']) expect(await readThrough(seller, limit)).toEqual(body.map(({ _id }) => _id));
  });

  test('has what the seller is asked for above what waits for others, in every state as the list itself says it', async () => {
    const seller = await aSeller(t);
    const waits = [
      ['received', 'close', 1],
      ['paid', 'cancel-unposted', 9],
      ['problem', 'refund-problem', 8],
      ['problem', 'ask-admin', 2],
      ['returning', 'take-back', 7],
      ['returning', 'keep-unreturned', 3],
      ['returning', 'close-returned', 4],
      ['posted', 'receive', 5],
      ['ready', 'cancel-uncollected', 6],
    ] as const;
    const entered: string[] = [];
    const enter = async ([state, due_move, days]: (typeof waits)[number]): Promise<string> => {
      const { bookingId } = await aSale(t, { seller });
      const booking = t.db.selectFrom('bookings').select('order_id').where('id', '=', bookingId);
      const due_at = sql<Date>`now() + make_interval(days => ${days}::integer)`;
      await t.db.updateTable('orders').set({ state, due_move, due_at }).where('id', '=', booking).execute();
      return bookingId;
    };
    for (const wait of waits) entered.push(await enter(wait));
    // One that the shop has been asked to decide waits for nobody else.
    const passedOn = await enter(['problem', 'refund-problem', 8]);
    await sql`INSERT INTO order_events (order_id, move, from_state, to_state, by)
      SELECT order_id, 'ask-admin', 'problem', 'problem', 'seller' FROM bookings WHERE id = ${passedOn}`.execute(t.db);

    const { body } = await list(seller);
    const asked = body.map(({ order }) => order !== null && rowWords(order, 'seller').isYours);
    expect(asked).toEqual([true, true, true, ...Array.from({ length: 7 }, () => false)]);
    const [received, paid, answer, offered, takeBack, unreturned, cameBack, posted, ready] = entered;
    const ids = [takeBack, answer, paid, received, offered, unreturned, cameBack, posted, ready, passedOn];
    expect(body.map(({ _id }) => _id)).toEqual(ids);
    for (const limit of ['1', '2', '3']) expect(await readThrough(seller, limit)).toEqual(ids);
  });
});
