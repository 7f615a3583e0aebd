import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  decideHeldReview,
  listHeldReviews,
  readOrderReviews,
  replyToReview,
  writeReview,
  type ReviewDraft,
} from '#contract/orders/reviews.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBuyer, anAdmin, type TestUser } from '#test/make.ts';
import { orderSteps, type Sold } from '#test/order-steps.ts';
import { showDueReviews } from './reviews.service.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

const { posted, sold, move, ahead } = orderSteps(() => t);

const closed = async (): Promise<Sold> => {
  const sale = await posted();
  await move(sale, sale.buyer, { move: 'receive' });
  await ahead(3.1);
  return sale;
};

const GOOD: ReviewDraft = { stars: 5, asDescribed: true, wellPacked: true, inTime: false, words: 'A fine copy.' };

const write = (sale: Sold, as: TestUser, parts: Partial<ReviewDraft> = {}) =>
  t.call(writeReview, { params: { id: sale.orderId }, body: { ...GOOD, ...parts } }, { as });
const read = async (sale: Sold, as: TestUser) =>
  (await t.call(readOrderReviews, { params: { id: sale.orderId } }, { as })).body;
const reply = (id: string, as: TestUser, text: string) =>
  t.call(replyToReview, { params: { id }, body: { text } }, { as });
const decide = (id: string, what: 'review' | 'reply', allow: boolean, reason = '') =>
  t.call(decideHeldReview, { params: { id }, body: { what, allow, reason } }, { as: admin });
const subjectsTo = async ({ email }: TestUser) => (await t.mailTo(email)).map(({ subject }) => subject);
const daysLater = async (days: number): Promise<void> => {
  await ahead(days);
  await showDueReviews(t.db);
};

describe('reviews of an order', () => {
  test('are written once it has closed, and by its two sides alone', async () => {
    const open = await sold();
    expect(await write(open, open.buyer)).toMatchObject({ status: 409, body: { error: { code: 'review_closed' } } });
    const sale = await closed();
    expect(await subjectsTo(sale.buyer)).toContain(`How was it? ${sale.copy.title}`);
    expect(await read(sale, sale.seller)).toMatchObject({ mine: null, theirs: null, writeBy: expect.any(String) });
    for (const stranger of [await aBuyer(t), admin]) expect((await write(sale, stranger)).status).toBe(404);
    expect((await write(sale, sale.buyer, { stars: 6 })).status).toBe(400);
    expect((await write(sale, sale.buyer)).body).toMatchObject({ state: 'open' });
  });

  test('are read by the other side only once both have written, and stay as they are then', async () => {
    const sale = await closed();
    await write(sale, sale.buyer, { words: 'Nothing like it.', stars: 1 });
    expect((await write(sale, sale.buyer)).status).toBe(200);
    expect(await read(sale, sale.seller)).toMatchObject({ theirs: null });
    expect(await read(sale, sale.buyer)).toMatchObject({ mine: { stars: 5, isShown: false }, theirs: null });
    // A seller is not asked for what only a buyer can know.
    await write(sale, sale.seller, { words: 'Quick to answer.', stars: 4 });
    expect(await read(sale, sale.buyer)).toMatchObject({
      mine: { isShown: true },
      theirs: { by: 'seller', stars: 4, asDescribed: null, title: sale.copy.title, words: 'Quick to answer.' },
      writeBy: null,
    });
    expect(await subjectsTo(sale.seller)).toContain(`A review of you: ${sale.copy.title}`);
    expect((await write(sale, sale.buyer, { stars: 1 })).status).toBe(409);
  });

  test('are shown after a week without the other, who may write for a week more', async () => {
    const sale = await closed();
    await write(sale, sale.buyer);
    await daysLater(6.9);
    expect(await read(sale, sale.seller)).toMatchObject({ theirs: null });
    await daysLater(0.2);
    expect(await read(sale, sale.seller)).toMatchObject({ theirs: { stars: 5, inTime: false }, mayReply: true });
    expect((await write(sale, sale.seller)).status).toBe(200);
    const late = await closed();
    await daysLater(14.1);
    expect(await read(late, late.buyer)).toMatchObject({ writeBy: null });
    expect((await write(late, late.buyer)).status).toBe(409);
  });

  test('have one reply, of whom they are about', async () => {
    const sale = await closed();
    const { body } = await write(sale, sale.buyer);
    expect((await reply(body.insertedId, sale.seller, 'Not shown yet')).status).toBe(404);
    await write(sale, sale.seller);
    for (const [as, text, status] of [
      [sale.buyer, 'To myself', 404],
      [sale.seller, '   ', 400],
      [sale.seller, 'Thank you.', 201],
      [sale.seller, 'And again', 409],
    ] as const)
      expect((await reply(body.insertedId, as, text)).status, text).toBe(status);
    expect(await read(sale, sale.buyer)).toMatchObject({ mine: { reply: 'Thank you.' } });
    expect(await subjectsTo(sale.buyer)).toContain(`A reply to your review of ${sale.copy.title}`);
  });

  test('that name a contact wait for an admin, who lets them be shown or removes them', async () => {
    const [kept, removed] = [await closed(), await closed()];
    for (const sale of [kept, removed]) {
      expect((await write(sale, sale.buyer, { words: 'Write to me at maya@books.example' })).body.state).toBe('held');
      await write(sale, sale.seller);
      expect(await read(sale, sale.seller)).toMatchObject({ theirs: null });
      expect(await read(sale, sale.buyer)).toMatchObject({ mine: { isHeld: true }, theirs: { by: 'seller' } });
    }
    const held = (await t.call(listHeldReviews, { query: {} }, { as: admin })).body;
    const idOf = (sale: Sold) => held.find(({ orderId }) => orderId === sale.orderId)?._id ?? '';
    expect(held).toContainEqual(
      expect.objectContaining({ what: 'review', orderId: kept.orderId, text: 'Write to me at maya@books.example' }),
    );
    expect((await decide(idOf(removed), 'review', false)).status).toBe(400);
    expect((await decide(idOf(removed), 'review', false, 'An address')).body.modifiedCount).toBe(1);
    expect((await decide(idOf(kept), 'review', true)).body.modifiedCount).toBe(1);
    expect((await decide(idOf(kept), 'review', true)).status).toBe(409);
    await showDueReviews(t.db);
    expect(await read(kept, kept.seller)).toMatchObject({ theirs: { words: 'Write to me at maya@books.example' } });
    expect(await read(removed, removed.seller)).toMatchObject({ theirs: null });
    expect(await read(removed, removed.buyer)).toMatchObject({ mine: { isRemoved: true }, writeBy: null });
    expect(await subjectsTo(removed.buyer)).toContain(`What you wrote about ${removed.copy.title} is not shown`);
    expect(await subjectsTo(kept.buyer)).toContain(`What you wrote about ${kept.copy.title} can be shown`);

    expect((await reply(idOf(kept), kept.seller, 'Call 503 555 0142 99')).body).toMatchObject({ state: 'held' });
    expect(await read(kept, kept.buyer)).toMatchObject({ mine: { reply: '' } });
    expect(await read(kept, kept.seller)).toMatchObject({ isReplyHeld: true, mayReply: false });
    expect((await decide(idOf(kept), 'reply', false, 'A number')).body.modifiedCount).toBe(1);
    expect(await read(kept, kept.seller)).toMatchObject({ mayReply: true });
  });

  test('stay without a name once their writer has left', async () => {
    const sale = await closed();
    await write(sale, sale.buyer, { words: 'It was so.' });
    await write(sale, sale.seller);
    const named = await read(sale, sale.seller);
    expect(named.theirs?.author).not.toBe('');
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', sale.buyer.id).execute();
    expect(await read(sale, sale.seller)).toMatchObject({ theirs: { author: '', words: 'It was so.' } });
  });
});
