import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf } from '#contract/endpoint.ts';
import { readPhoto } from '#contract/catalog/photo-calls.ts';
import { deleteListing } from '#contract/catalog/catalog.ts';
import { listNotes, readNotes, writeNote } from '#contract/messages/notes.ts';
import { createPaymentIntent } from '#contract/money/payments.ts';
import * as threads from '#contract/messages/threads.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale, bookingOf, GOOD_CARD, intentIdOf, payAtProvider, recordPaid, type Deal } from '#test/deal.ts';
import { aBooking, aBuyer, aCategory, aListing, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';
import { confirmCard } from '#test/money/pay.ts';
import { aPhoto } from '#test/photos.ts';
import { tidyMessages } from './messages.service.ts';

let t: TestApp;
let seller: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

const aCopy = (of = seller) => aListing(t, of, { category_id: category });

const ask = (as: TestUser | undefined, id: string, text: string, more: { key?: string; photos?: string[] } = {}) =>
  t.call(
    threads.askSeller,
    { params: { id }, body: { text, ...(more.photos && { photos: more.photos }) } },
    { as, headers: more.key === undefined ? {} : { 'idempotency-key': more.key } },
  );
const write = (as: TestUser, id: string, text: string, photos?: string[]) =>
  t.call(threads.writeInThread, { params: { id }, body: { text, ...(photos && { photos }) } }, { as });
const read = (as: TestUser, id: string) => t.call(threads.readThread, { params: { id } }, { as });
const messages = (as: TestUser | undefined, id: string, query = {}) =>
  t.call(threads.listThreadMessages, { params: { id }, query }, { as });
const said = async (as: TestUser, id: string) =>
  (await messages(as, id)).body.map(({ by, text }) => `${by}: ${text}`).toReversed();
const inbox = (as: TestUser, query = {}) => t.call(threads.listThreads, { query }, { as });
const unread = async (as: TestUser) => (await t.call(threads.countUnreadThreads, {}, { as })).body.unread;
const set = (as: TestUser, id: string, to: { isMuted?: boolean; isBlocked?: boolean }) =>
  t.call(threads.setThread, { params: { id }, body: { isMuted: false, isBlocked: false, ...to } }, { as });
const markRead = (as: TestUser, id: string, upTo: string) =>
  t.call(threads.markThreadRead, { params: { id }, body: { upTo } }, { as });
const mails = (email: string) =>
  t.db
    .selectFrom('outbox')
    .select(['kind', 'data'])
    .where('to_email', '=', email)
    .where('kind', '=', 'message')
    .execute();

const aThread = async () => {
  const [buyer, copy] = [await aBuyer(t), await aCopy()];
  const asked = await ask(buyer, copy._id, 'Is it still there?');
  expect(asked.status).toBe(201);
  return { buyer, copy, id: asked.body.threadId };
};

describe('a thread about a copy', () => {
  test('is opened by whoever asks, and read by the two alone', async () => {
    const { buyer, copy, id } = await aThread();
    expect((await write(seller, id, ' It is.\r\nReally. ')).status).toBe(201);
    expect((await ask(buyer, copy._id, 'Good!')).body.threadId).toBe(id);
    expect(await said(buyer, id)).toEqual(['buyer: Is it still there?', 'seller: It is.\nReally.', 'buyer: Good!']);
    expect(await said(seller, id)).toEqual(await said(buyer, id));
    for (const stranger of [await aBuyer(t), await aSeller(t), await anAdmin(t)]) {
      expect((await read(stranger, id)).status).toBe(404);
      expect((await messages(stranger, id)).status).toBe(404);
      expect((await write(stranger, id, 'Let me in')).status).toBe(404);
      expect((await set(stranger, id, { isMuted: true })).status).toBe(404);
      expect((await inbox(stranger)).body).toEqual([]);
    }
    expect((await messages(undefined, id)).status).toBe(401);
    expect((await read(buyer, randomUUID())).status).toBe(404);
  });

  test('shows neither side how to reach the other', async () => {
    const { buyer, id } = await aThread();
    const seen = [await read(buyer, id), await read(seller, id), await inbox(buyer), await inbox(seller)];
    const all = JSON.stringify(seen.map(({ body }) => body));
    for (const secret of [buyer.email, seller.email, '+1 555 0100']) expect(all).not.toContain(secret);
    expect(seen[0]?.body).toMatchObject({ side: 'buyer', with: seller.name, orderId: null, end: null });
    expect(seen[1]?.body).toMatchObject({ side: 'seller', with: buyer.name });
  });

  test('is not for the seller of the copy, nor for an address that nobody confirmed, nor about what is not for sale', async () => {
    const copy = await aCopy();
    expect((await ask(seller, copy._id, 'Mine')).status).toBe(403);
    expect((await ask(undefined, copy._id, 'Who?')).status).toBe(401);
    const newcomer = await aUser(t, { roles: ['buyer'], emailProven: false });
    expect((await ask(newcomer, copy._id, 'Hello')).status).toBe(403);
    const buyer = await aBuyer(t);
    expect((await ask(buyer, randomUUID(), 'Hello')).status).toBe(404);
    const { copy: sold } = await aSale(t, { seller, category });
    const refused = await ask(buyer, sold._id, 'Is there another?');
    expect([refused.status, refused.body.error?.code, refused.body.threadId]).toEqual([409, 'thread_closed', null]);
    await t.call(deleteListing, { params: { id: copy._id } }, { as: seller });
    expect((await ask(buyer, copy._id, 'Hello')).status).toBe(404);
  });

  test('ends when its copy is taken away or somebody else buys it', async () => {
    const { buyer, copy, id } = await aThread();
    await t.call(deleteListing, { params: { id: copy._id } }, { as: seller });
    expect((await read(buyer, id)).body.end).toBe('sold');
    for (const side of [buyer, seller]) expect((await write(side, id, 'Too late')).status).toBe(409);
    expect(await said(buyer, id)).toEqual(['buyer: Is it still there?']);
  });

  test('is one thread and one message however often and by how many hands it is sent', async () => {
    const [buyer, copy, key] = [await aBuyer(t), await aCopy(), randomUUID()];
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(buyer, copy._id, 'Once', { key })));
    expect(new Set(answers.map(({ body }) => `${body.threadId} ${body.insertedId}`)).size).toBe(1);
    const others = await Promise.all([1, 2, 3].map((n) => ask(buyer, copy._id, `Also ${n}`)));
    const [id] = new Set([...answers, ...others].map(({ body }) => body.threadId));
    expect((await said(buyer, id ?? '')).length).toBe(4);
    expect((await inbox(buyer)).body.map(({ _id }) => _id)).toEqual([id]);
  });

  test('says once that there is something new, and nothing of what it is', async () => {
    const own = await aSeller(t);
    const [buyer, copy] = [await aBuyer(t), await aCopy(own)];
    const { threadId: id } = (await ask(buyer, copy._id, 'Call 555 0199')).body;
    await write(buyer, id, 'Are you there?');
    expect(await mails(own.email)).toEqual([
      { kind: 'message', data: { threadId: id, title: copy.title, from: buyer.name } },
    ]);
    const [newest] = (await messages(own, id)).body;
    await markRead(own, id, newest?._id ?? '');
    await write(buyer, id, 'One more');
    expect(await mails(own.email)).toHaveLength(2);
    await set(own, id, { isMuted: true });
    await markRead(own, id, (await messages(own, id)).body[0]?._id ?? '');
    await write(buyer, id, 'And one');
    expect(await mails(own.email)).toHaveLength(2);
  });

  test('is new until it was seen', async () => {
    const own = await aSeller(t);
    const [buyer, copy] = [await aBuyer(t), await aCopy(own)];
    const { threadId: id, insertedId: first } = (await ask(buyer, copy._id, 'One')).body;
    await write(buyer, id, 'Two');
    expect([await unread(own), await unread(buyer)]).toEqual([1, 0]);
    expect((await inbox(own)).body).toMatchObject([{ _id: id, isUnread: true, lastText: 'Two', lastBy: 'buyer' }]);
    await markRead(own, id, first);
    expect(await unread(own)).toBe(1);
    const [newest] = (await messages(own, id)).body;
    expect((await markRead(own, id, newest?._id ?? '')).body.modifiedCount).toBe(1);
    expect((await markRead(own, id, first)).body.modifiedCount).toBe(0);
    expect(await unread(own)).toBe(0);
    await write(own, id, 'Three');
    expect([await unread(own), await unread(buyer)]).toEqual([0, 1]);
    await set(buyer, id, { isMuted: true });
    expect(await unread(buyer)).toBe(0);
  });

  test('stops where one side blocks the other, until they take it back', async () => {
    const { buyer, copy, id } = await aThread();
    expect((await set(seller, id, { isBlocked: true })).body.modifiedCount).toBe(1);
    expect((await set(seller, id, { isBlocked: true })).body.modifiedCount).toBe(0);
    expect([(await read(buyer, id)).body.end, (await read(seller, id)).body.end]).toEqual(['closed', 'blocked']);
    expect((await write(buyer, id, 'Why?')).status).toBe(409);
    expect((await ask(buyer, copy._id, 'Why?')).status).toBe(409);
    const other = await aCopy();
    expect((await ask(buyer, other._id, 'And here?')).status).toBe(409);
    await set(seller, id, { isBlocked: false });
    expect((await write(buyer, id, 'Thank you')).status).toBe(201);
  });

  test('warns of what leads outside the shop', async () => {
    const { buyer, id } = await aThread();
    await write(buyer, id, 'Write to me at buyer@example.com, I pay by PayPal');
    expect((await messages(seller, id)).body.map(({ leadsOutside }) => leadsOutside)).toEqual([true, false]);
  });

  test('holds words of up to 2,000 characters or photos, which stay what they are', async () => {
    const { buyer, id } = await aThread();
    for (const text of ['', ' \n', 'x'.repeat(2_001), 'a\0b']) expect((await write(buyer, id, text)).status).toBe(400);
    for (const text of ['<img src=x onerror=alert(1)>', 'x'.repeat(2_000)])
      expect((await write(buyer, id, text)).status).toBe(201);
    const { id: photo } = await aPhoto(t, buyer);
    expect((await write(buyer, id, '', [photo, photo])).status).toBe(400);
    expect((await write(seller, id, '', [photo])).status).toBe(400);
    expect((await write(buyer, id, '', [photo])).status).toBe(201);
    expect((await messages(seller, id)).body[0]).toMatchObject({
      text: '',
      photos: [{ id: photo }],
      isForgotten: false,
    });
    const look = async (as: TestUser) =>
      (await t.send('GET', `/api${pathOf(readPhoto, { params: { id: photo, side: '720' } })}`, { as })).statusCode;
    expect([await look(buyer), await look(seller), await look(await aSeller(t)), await look(await anAdmin(t))]).toEqual(
      [200, 200, 404, 404],
    );
  });

  test('is paged, the newest first, each once, like the list of threads', async () => {
    const buyer = await aBuyer(t);
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await ask(buyer, (await aCopy())._id, 'Hello')).body.threadId);
    for (const text of ['1', '2', '3', '4']) await write(buyer, ids[0] ?? '', text);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await inbox(buyer, { limit: '2', cursor });
      seen.push(...page.body.map(({ _id }) => _id));
      cursor = /cursor=([^&>]+)/.exec(String(page.headers['link'] ?? ''))?.[1];
    } while (cursor !== undefined);
    expect(seen).toEqual([ids[0], ids[2], ids[1]]);
    const first = await messages(buyer, ids[0] ?? '', { limit: '3' });
    expect(first.body.map(({ text }) => text)).toEqual(['4', '3', '2']);
    expect((await inbox(buyer, { cursor: 'none' })).status).toBe(400);
  });
});

describe('once the copy is bought', () => {
  const bought = async () => {
    const { buyer, copy, id } = await aThread();
    const bookingId = await aBooking(t, buyer, copy);
    const sale = { buyer, seller, copy, bookingId };
    const paid = await recordPaid(t, sale, await payAtProvider(t, sale));
    expect(paid.status).toBe(200);
    return { buyer, copy, id, order: (await bookingOf(t, sale)).orderId ?? '' };
  };

  test('a thread goes on as the thread of the order', async () => {
    const { buyer, id, order } = await bought();
    await t.call(writeNote, { params: { id: order }, body: { text: 'I paid' } }, { as: buyer });
    await write(seller, id, 'I post it today');
    const notes = await t.call(listNotes, { params: { id: order }, query: {} }, { as: buyer });
    expect(notes.body.map(({ text }) => text)).toEqual(['I post it today', 'I paid', 'Is it still there?']);
    expect((await read(buyer, id)).body).toMatchObject({ orderId: order, end: null });
    expect((await inbox(buyer)).body).toHaveLength(1);
    expect(await unread(buyer)).toBe(1);
    const upTo = notes.body[0]?._id ?? '';
    expect((await t.call(readNotes, { params: { id: order }, body: { upTo } }, { as: buyer })).body.modifiedCount).toBe(
      1,
    );
    expect(await unread(buyer)).toBe(0);
    // What was blocked before does not stand between two who have an order.
    await set(seller, id, { isBlocked: true });
    expect((await write(buyer, id, 'Thank you')).status).toBe(201);
  });

  test('it ends 30 days after the order, and its words two years after it', async () => {
    const { buyer, id, order } = await bought();
    const over = (days: number) =>
      sql`WITH o AS (UPDATE orders SET state = 'closed', outcome = 'completed', due_at = NULL, due_move = NULL,
          closed_at = shop_now() - make_interval(days => ${days}) WHERE id = ${order})
        UPDATE messages SET at = shop_now() - make_interval(days => ${days}) WHERE thread_id = ${id}`.execute(t.db);
    await over(31);
    expect((await read(buyer, id)).body.end).toBe('over');
    expect((await write(buyer, id, 'Still there?')).status).toBe(409);
    await tidyMessages(t.db);
    expect(await said(buyer, id)).toEqual(['buyer: Is it still there?']);
    await over(731);
    expect(await tidyMessages(t.db)).toBeGreaterThan(0);
    expect((await messages(buyer, id)).body).toMatchObject([{ text: '', isForgotten: true }]);
  });

  test('several threads about books that are bought together go on in one', async () => {
    const buyer = await aBuyer(t);
    const copies = [await aCopy(), await aCopy()];
    const ids: string[] = [];
    for (const copy of copies) ids.push((await ask(buyer, copy._id, `About ${copy.title}`)).body.threadId);
    const deals = [];
    for (const copy of copies) deals.push({ buyer, seller, copy, bookingId: await aBooking(t, buyer, copy) });
    const bookingIds = deals.map(({ bookingId }) => bookingId);
    const [deal] = deals as [Deal];
    const asked = { price: deal.copy.resale_price, bookingId: deal.bookingId, bookingIds, delivery: 'pickup' as const };
    const { clientSecret } = (await t.call(createPaymentIntent, { body: asked }, { as: buyer })).body;
    await confirmCard(t.standinUrl, clientSecret, GOOD_CARD);
    expect((await recordPaid(t, deal, intentIdOf(clientSecret))).status).toBe(200);
    const order = (await bookingOf(t, deal)).orderId;
    const [one, two] = [await said(buyer, ids[0] ?? ''), await said(seller, ids[1] ?? '')];
    expect(one).toEqual(copies.map(({ title }) => `buyer: About ${title}`));
    expect(two).toEqual(one);
    expect((await inbox(buyer)).body).toHaveLength(1);
    expect((await inbox(buyer)).body[0]?.orderId).toBe(order);
  });
});
