import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH } from '#contract/messages/messages.ts';
import { listNotes, writeNote } from '#contract/messages/notes.ts';
import { moveOrder, readOrder } from '#contract/orders/orders.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale, bookingOf } from '#test/deal.ts';
import { aBuyer, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const anOrder = async () => {
  const sale = await aSale(t);
  return { ...sale, id: (await bookingOf(t, sale)).orderId ?? '' };
};

const write = (as: TestUser, id: string, text: string, key?: string) =>
  t.call(writeNote, { params: { id }, body: { text } }, { as, headers: key ? { 'idempotency-key': key } : {} });

const read = (as: TestUser | undefined, id: string, query = {}) => t.call(listNotes, { params: { id }, query }, { as });

const textsOf = async (as: TestUser, id: string) => (await read(as, id)).body.map(({ by, text }) => `${by}: ${text}`);

const mailsOf = (email: string) =>
  t.db.selectFrom('outbox').select('data').where('kind', '=', 'note').where('to_email', '=', email).execute();

describe('notes of an order', () => {
  test('are written by its buyer and its seller, and read by admins; nobody else hears of the order', async () => {
    const { id, buyer, seller } = await anOrder();
    expect((await write(buyer, id, ' Is it packed well?\r\nIt rains. ')).status).toBe(201);
    expect((await write(seller, id, 'It is.')).status).toBe(201);
    const admin = await anAdmin(t);
    for (const reader of [buyer, seller, admin]) {
      expect(await textsOf(reader, id)).toEqual(['seller: It is.', 'buyer: Is it packed well?\nIt rains.']);
    }
    expect((await write(admin, id, 'Hello')).status).toBe(403);
    for (const stranger of [await aBuyer(t), await aSeller(t)]) {
      expect((await read(stranger, id)).status).toBe(404);
      const refused = await write(stranger, id, 'Let me in');
      expect([refused.status, refused.body.insertedId]).toEqual([404, null]);
    }
    expect((await write(buyer, randomUUID(), 'Nobody there')).status).toBe(404);
    expect((await read(undefined, id)).status).toBe(401);
  });

  test('are mailed to the other side as a link, without what they say', async () => {
    const { id, buyer, seller, copy } = await anOrder();
    await write(buyer, id, 'Call me at 555 0199');
    expect(await mailsOf(buyer.email)).toEqual([]);
    const [mail] = await mailsOf(seller.email);
    expect(mail?.data).toEqual({ orderId: id, title: copy.title, from: 'buyer' });
    await sql`UPDATE users SET deleted_at = now() WHERE id = ${buyer.id}`.execute(t.db);
    expect((await write(seller, id, 'Are you there?')).status).toBe(201);
    expect(await mailsOf(buyer.email)).toEqual([]);
  });

  test('are one note and one mail however often one is sent with its key', async () => {
    const { id, buyer, seller } = await anOrder();
    const key = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => write(buyer, id, 'Only once', key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.insertedId)).size).toBe(1);
    expect(await textsOf(seller, id)).toEqual(['buyer: Only once']);
    expect(await mailsOf(seller.email)).toHaveLength(1);
    expect((await write(buyer, id, 'Something else', key)).status).toBe(422);
    const other = await anOrder();
    expect((await write(other.buyer, other.id, 'Only once', key)).status).toBe(201);
    // Without a key each is one, and both sides at once make one thread.
    await Promise.all([write(buyer, id, 'Twice'), write(seller, id, 'Twice')]);
    expect(await textsOf(seller, id)).toHaveLength(3);
  });

  test('hold 1 to 2,000 characters, which stay text', async () => {
    const { id, buyer } = await anOrder();
    for (const text of ['', '  \n\t ', 'x'.repeat(MAX_MESSAGE_LENGTH + 1), 'a\0b', '\ud800']) {
      const refused = await write(buyer, id, text);
      expect([refused.status, Object.keys(refused.body.error?.fields ?? {})], text.slice(0, 9)).toEqual([
        400,
        ['text'],
      ]);
    }
    const texts = [
      'x'.repeat(MAX_MESSAGE_LENGTH),
      '<img src=x onerror=alert(1)>',
      "'; DROP TABLE messages; --",
      '📚 \u202e',
    ];
    for (const text of texts) expect((await write(buyer, id, text)).status).toBe(201);
    expect((await read(buyer, id)).body.map(({ text }) => text)).toEqual(texts.toReversed().map((one) => one.trim()));
    expect((await t.send('POST', `/api/orders/${id}/notes`, { as: buyer, body: { text: ['a'] } })).statusCode).toBe(
      400,
    );
  });

  test('are paged, the newest first, each once', async () => {
    const { id, buyer } = await anOrder();
    for (const text of ['1', '2', '3', '4', '5']) await write(buyer, id, text);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(buyer, id, { limit: '2', cursor });
      seen.push(...page.body.map(({ text }) => text));
      cursor = /cursor=([^&>]+)/.exec(String(page.headers['link'] ?? ''))?.[1];
    } while (cursor !== undefined);
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
    expect((await read(buyer, id, { cursor: 'none' })).status).toBe(400);
  });

  test('can be written until 30 days after the order has ended', async () => {
    const { id, buyer, seller } = await anOrder();
    await t.call(moveOrder, { params: { id }, body: { move: 'cancel' } }, { as: buyer });
    expect((await write(seller, id, 'A pity')).status).toBe(201);
    const over = (days: number) =>
      sql`UPDATE orders SET closed_at = shop_now() - make_interval(days => ${days}) WHERE id = ${id}`.execute(t.db);
    const mayWrite = async () => (await t.call(readOrder, { params: { id } }, { as: seller })).body.mayWrite;
    await over(29);
    expect([await mayWrite(), (await write(seller, id, 'Still')).status]).toEqual([true, 201]);
    await over(31);
    const refused = await write(seller, id, 'Too late');
    expect([await mayWrite(), refused.status, refused.body.error?.code]).toEqual([false, 409, 'thread_closed']);
    expect(await textsOf(buyer, id)).toEqual(['seller: Still', 'seller: A pity']);
  });
});
