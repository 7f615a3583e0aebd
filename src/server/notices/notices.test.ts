import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNotes, writeNote } from '#contract/messages/notes.ts';
import {
  chooseMail,
  chooseMailByLink,
  countUnreadNotices,
  listNotices,
  readMailChoices,
  readMailChoicesByLink,
  readNotices,
} from '#contract/notices/notices.ts';
import { CHOSEN_TOPICS } from '#contract/notices/topics.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aDeal, aSale, bookingOf } from '#test/deal.ts';
import { aBooking, aBuyer, aListing, aSeller, type TestUser } from '#test/make.ts';
import { tidyNotices } from './notices.service.ts';

let t: TestApp;
let lines = '';
beforeAll(async () => {
  t = await testApp({ env: { LOG_LEVEL: 'info' }, writeLog: (line) => (lines += line) });
});
afterAll(() => t.close());

const noticesOf = async (user: TestUser) => (await t.call(listNotices, { query: {} }, { as: user })).body;
const unreadOf = async (user: TestUser) => (await t.call(countUnreadNotices, {}, { as: user })).body.unread;
/** The links of the newest mail to somebody: that of its foot, and that for mail programs. */
const linksOf = async (user: TestUser) => {
  const [mail] = await t.mailTo(user.email);
  const token = /\/unsubscribe#token=([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1] ?? '';
  return { mail, token };
};

describe('the bell', () => {
  test('has what is mailed, newest first, with a way to it, and is its owner’s alone', async () => {
    const { buyer, seller, copy, bookingId } = await aSale(t);
    const { orderId } = await bookingOf(t, { buyer, bookingId });
    const [own, theirs] = [await noticesOf(buyer), await noticesOf(seller)];
    expect(own.map(({ title }) => title)).toEqual([`Your receipt: ${copy.title}`, `Reserved for you: ${copy.title}`]);
    expect(own[0]).toMatchObject({ topic: 'orders', path: `/dashboard/orders/${orderId}`, isRead: false });
    expect(theirs).toMatchObject([{ title: `Sold: ${copy.title}`, topic: 'orders' }]);
    expect(await noticesOf(await aBuyer(t))).toEqual([]);
    // Titles are those of the mails.
    const subjects = (await t.mailTo(buyer.email)).map(({ subject }) => subject);
    for (const { title } of own) expect(subjects).toContain(title);
  });

  test('counts what is new, and what was seen is not new again; what came after it is', async () => {
    const { buyer } = await aSale(t);
    const [newest, first] = await noticesOf(buyer);
    expect(await unreadOf(buyer)).toBe(2);
    const read = (upTo: string) => t.call(readNotices, { body: { upTo } }, { as: buyer });
    expect((await read(first?._id ?? '')).body).toEqual({ modifiedCount: 1 });
    expect(await unreadOf(buyer)).toBe(1);
    expect((await read(newest?._id ?? '')).body).toEqual({ modifiedCount: 1 });
    expect((await read(newest?._id ?? '')).body).toEqual({ modifiedCount: 0 });
    expect(await unreadOf(buyer)).toBe(0);
    expect((await noticesOf(buyer)).map(({ isRead }) => isRead)).toEqual([true, true]);
  });

  test('is read by pages', async () => {
    const buyer = await aBuyer(t);
    const tell = (n: number) =>
      t.db.transaction().execute((trx) =>
        queueMail(trx, {
          kind: 'line-over',
          key: `line-over:${n}:${buyer.id}`,
          to: { email: buyer.email, name: 'Bo' },
          data: { title: `Book ${n}` },
        }),
      );
    for (let n = 1; n <= 5; n += 1) await tell(n);
    // The same event again is one notice.
    await tell(5);
    const page = await t.call(listNotices, { query: { limit: '3' } }, { as: buyer });
    const next = /cursor=([^&>]+)/.exec(String(page.headers['link']))?.[1] ?? '';
    const rest = await t.call(listNotices, { query: { limit: '3', cursor: next } }, { as: buyer });
    const titles = [...page.body, ...rest.body].map(({ title }) => title);
    expect(titles).toEqual([5, 4, 3, 2, 1].map((n) => `No longer available: Book ${n}`));
    expect(rest.headers['link']).toBeUndefined();
  });

  test('has no word of sign-ins and passwords: whoever is in reads it', async () => {
    const buyer = await aBuyer(t);
    await t.mailTo(buyer.email);
    expect(await noticesOf(buyer)).toEqual([]);
  });

  test('forgets what is older than 90 days', async () => {
    const { buyer } = await aDeal(t);
    const [notice] = await noticesOf(buyer);
    await sql`UPDATE notices SET at = now() - interval '91 days' WHERE id = ${notice?._id}`.execute(t.db);
    const { buyer: other } = await aDeal(t);
    await tidyNotices(t.db);
    expect(await noticesOf(buyer)).toEqual([]);
    expect(await noticesOf(other)).toHaveLength(1);
  });
});

describe('what is mailed', () => {
  const choose = (user: TestUser, notMailed: Parameters<typeof t.call<typeof chooseMail>>[1]['body']['notMailed']) =>
    t.call(chooseMail, { body: { notMailed } }, { as: user });

  test('is everything, until somebody chose; then the bell alone has it', async () => {
    const buyer = await aBuyer(t);
    const seller = await aSeller(t);
    expect((await t.call(readMailChoices, {}, { as: buyer })).body).toEqual({ notMailed: [] });
    expect((await choose(buyer, ['bookings'])).body).toEqual({ modifiedCount: 1 });
    expect((await choose(buyer, ['bookings'])).body).toEqual({ modifiedCount: 0 });
    expect((await t.call(readMailChoices, {}, { as: buyer })).body).toEqual({ notMailed: ['bookings'] });
    const copy = await aListing(t, seller);
    await aBooking(t, buyer, copy);
    expect((await noticesOf(buyer)).map(({ title }) => title)).toEqual([`Reserved for you: ${copy.title}`]);
    expect(await t.mailTo(buyer.email)).toEqual([]);
  });

  test('is money and safety in any case: that cannot be chosen, and is mailed whatever was', async () => {
    const { buyer } = await aSale(t);
    const all = CHOSEN_TOPICS.map(({ id }) => id);
    expect((await choose(buyer, all)).status).toBe(200);
    for (const topic of ['orders', 'account', 'nonsense'])
      expect((await choose(buyer, [topic as never])).status).toBe(400);
    const other = await aSale(t, { buyer });
    const mailed = (await t.mailTo(buyer.email)).map(({ subject }) => subject);
    const of = (subject: string) => mailed.filter((each) => each.startsWith(subject)).length;
    expect([of('Your receipt: '), of('Reserved for you: ')]).toEqual([2, 1]);
    expect(
      (await noticesOf(buyer)).filter(({ title }) => title === `Reserved for you: ${other.copy.title}`),
    ).toHaveLength(2);
  });

  test('can be chosen by the link of a mail, without signing in; another’s choices are out of its reach', async () => {
    const { buyer } = await aDeal(t);
    const { buyer: other } = await aDeal(t);
    const { token } = await linksOf(buyer);
    expect((await t.call(readMailChoicesByLink, { body: { token } })).body).toEqual({ notMailed: [] });
    const chosen = await t.call(chooseMailByLink, { body: { token, notMailed: ['line', 'messages'] } });
    expect(chosen.body).toEqual({ modifiedCount: 1 });
    expect((await t.call(readMailChoices, {}, { as: buyer })).body).toEqual({ notMailed: ['line', 'messages'] });
    expect((await t.call(readMailChoices, {}, { as: other })).body).toEqual({ notMailed: [] });
    for (const nobodys of ['0'.repeat(64), 'f'.repeat(64)])
      expect((await t.call(readMailChoicesByLink, { body: { token: nobodys } })).status).toBe(404);
    expect((await t.call(readMailChoicesByLink, { body: { token: `${token}'` } })).status).toBe(400);
  });
});

describe('one click in a mail program', () => {
  test('ends mails of that kind: a form of one field, no cookie, twice the same; looking at the address does nothing', async () => {
    const { buyer, seller, copy } = await aSale(t);
    const note = async () => {
      const [order] = await t.db.selectFrom('orders').select('id').where('seller_id', '=', seller.id).execute();
      const id = order?.id ?? '';
      const { body } = await t.call(
        writeNote,
        { params: { id }, body: { text: 'It is on its way' } },
        { as: seller, headers: { 'idempotency-key': randomUUID() } },
      );
      // The next one is told again only where this one was seen.
      await t.call(readNotes, { params: { id }, body: { upTo: body.insertedId } }, { as: buyer });
    };
    await note();
    const { mail } = await linksOf(buyer);
    expect(mail?.subject).toBe(`A note about ${copy.title}`);
    const path = new URL(mail?.unsubscribe ?? '').pathname;
    expect(path).toMatch(/^\/api\/unsubscribe\/[0-9a-f]{64}\/messages$/);
    expect((await t.send('GET', path)).statusCode).toBe(404);
    expect((await t.call(readMailChoices, {}, { as: buyer })).body).toEqual({ notMailed: [] });
    const press = () =>
      t.send('POST', path, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
    expect([(await press()).json(), (await press()).json()]).toEqual([{ modifiedCount: 1 }, { modifiedCount: 0 }]);
    const before = (await t.mailTo(buyer.email)).length;
    await note();
    expect(await t.mailTo(buyer.email)).toHaveLength(before);
    expect((await noticesOf(buyer)).filter(({ title }) => title.startsWith('A note about'))).toHaveLength(2);
    // What a link opens is in no line of the log.
    expect(lines).toContain('/api/unsubscribe/[token]/messages');
    expect(lines).not.toContain(path);
  });

  test('is in no mail that is always sent', async () => {
    const { seller } = await aSale(t);
    const { mail, token } = await linksOf(seller);
    expect(mail?.subject).toMatch(/^Sold: /);
    expect([token, mail?.unsubscribe]).toEqual(['', '']);
  });
});
