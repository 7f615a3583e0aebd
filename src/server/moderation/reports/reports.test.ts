import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as contract from '#contract/admin/reports.ts';
import { readOwnSuspension } from '#contract/admin/suspending.ts';
import { deleteListing, readListing } from '#contract/catalog/catalog.ts';
import { askSeller, listThreadMessages } from '#contract/messages/threads.ts';
import { listSellerReviews } from '#contract/sellers/sellers.ts';
import { dayIn } from '#contract/time.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aSale, bookingOf } from '#test/deal.ts';
import { aBuyer, aCategory, aListing, anAdmin, aSeller, type TestUser } from '#test/make.ts';

let t: TestApp;
let [admin, other, seller]: TestUser[] = [];
let category: string;
beforeAll(async () => {
  t = await testApp();
  [admin, other, seller] = [await anAdmin(t), await anAdmin(t), await aSeller(t)];
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

type Kind = contract.ReportedKind;
const report = (
  as: TestUser | undefined,
  kind: Kind,
  id: string,
  more: { reason?: contract.GivenReason; words?: string } = {},
) => t.call(contract.reportThing, { body: { kind, id, reason: 'untrue', words: '', ...more } }, { as });
const cases = async (state: contract.CaseState = 'open', as = admin) =>
  (await t.call(contract.listReportCases, { query: { state, limit: '100' } }, { as })).body;
const caseOf = async (title: string, state: contract.CaseState = 'open') =>
  (await cases(state)).find((one) => one.title === title);
const decide = (id: string, action: contract.ReportAction, more: { reason?: string; days?: number } = {}, as = admin) =>
  t.call(contract.decideCase, { params: { id }, body: { action, reason: 'It is another book', ...more } }, { as });
const undo = (id: string, as = admin) => t.call(contract.undoDecision, { params: { id } }, { as });
const own = async (as: TestUser | undefined) => (await t.call(contract.listOwnDecisions, { query: {} }, { as })).body;
const appeal = (as: TestUser | undefined, id: string, words = 'It is the book on the cover') =>
  t.call(contract.appealDecision, { params: { id }, body: { words } }, { as });
const subjects = async (user: TestUser | undefined) =>
  (await t.mailTo(user?.email ?? '')).map(({ subject }) => subject);
const statusOf = async (id: string) => (await t.call(readListing, { params: { id } })).status;
const aCopy = (of = seller as TestUser) => aListing(t, of, { category_id: category, title: `Copy ${randomUUID()}` });

describe('a report', () => {
  test('is one case however many report the thing, with what it was like then', async () => {
    const copy = await aCopy();
    const [one, two] = [await aBuyer(t), await aBuyer(t)];
    expect((await report(one, 'copy', copy._id, { words: 'The cover is of another book' })).status).toBe(201);
    expect((await report(one, 'copy', copy._id)).status).toBe(201);
    expect((await report(two, 'copy', copy._id, { reason: 'picture' })).status).toBe(201);
    expect((await report(undefined, 'copy', copy._id, { reason: 'other', words: 'Look at it' })).status).toBe(201);
    await sql`UPDATE listings SET details = 'Something else now' WHERE id = ${copy._id}`.execute(t.db);
    const found = await caseOf(copy.title);
    expect(found).toMatchObject({ kind: 'copy', path: `/book/${copy._id}`, about: { _id: seller?.id }, isLate: false });
    expect(found?.evidence).toContain(copy.details);
    expect(found?.reports.map(({ by, reason, words }) => [by, reason, words])).toEqual([
      [one.name, 'untrue', 'The cover is of another book'],
      [two.name, 'picture', ''],
      ['', 'other', 'Look at it'],
    ]);
  });

  test('is of what the reporter can see, and nobody’s own', async () => {
    const copy = await aCopy();
    expect((await report(seller, 'copy', copy._id)).status).toBe(400);
    expect((await report(await aBuyer(t), 'copy', randomUUID())).status).toBe(404);
    expect((await report(await aBuyer(t), 'copy', "' OR 1=1 --")).status).toBe(404);
    expect((await report(undefined, 'person', 'no-such-seller')).status).toBe(404);
    expect((await report(undefined, 'copy', copy._id, { reason: 'other' })).status).toBe(400);
    const buyer = await aBuyer(t);
    const { threadId, insertedId } = (
      await t.call(askSeller, { params: { id: copy._id }, body: { text: 'Pay me elsewhere' } }, { as: buyer })
    ).body;
    for (const stranger of [undefined, await aBuyer(t)])
      expect((await report(stranger, 'message', insertedId)).status).toBe(404);
    expect((await report(buyer, 'message', insertedId)).status).toBe(400);
    expect((await report(seller, 'message', insertedId)).status).toBe(201);
    expect((await caseOf(`A message from ${buyer.name}`))?.evidence).toBe('Pay me elsewhere');
    expect((await t.call(listThreadMessages, { params: { id: threadId }, query: {} }, { as: seller })).status).toBe(
      200,
    );
  });

  test('of a person is by the address of their page, too', async () => {
    const person = await aSeller(t);
    const { seller_slug: slug } = await t.db
      .selectFrom('users')
      .select('seller_slug')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect((await report(undefined, 'person', slug ?? '')).status).toBe(201);
    expect((await cases()).find(({ about }) => about._id === person.id)).toMatchObject({ path: `/seller/${slug}` });
  });

  test('waits too long after two days', async () => {
    const copy = await aCopy();
    await report(undefined, 'copy', copy._id);
    await sql`UPDATE report_cases SET opened_at = shop_now() - interval '49 hours'
      WHERE subject_id = ${copy._id}`.execute(t.db);
    const all = await cases();
    expect([all[0]?.title, all[0]?.isLate]).toEqual([copy.title, true]);
  });
});

describe('a decision', () => {
  test('hides a copy from everybody, is told to both, and is undone', async () => {
    const [copy, buyer] = [await aCopy(), await aBuyer(t)];
    await report(buyer, 'copy', copy._id);
    const id = (await caseOf(copy.title))?._id ?? '';
    expect((await decide(id, 'hide', { reason: ' ' })).status).toBe(400);
    expect((await decide(id, 'hide')).status).toBe(200);
    expect((await decide(id, 'warn')).body.error?.code).toBe('case_moved');
    expect(await statusOf(copy._id)).toBe(404);
    expect(await subjects(seller)).toContain(`Decided about ${copy.title}`);
    expect(await subjects(buyer)).toContain(`We looked at your report: ${copy.title}`);
    expect(await caseOf(copy.title, 'decided')).toMatchObject({
      decision: 'hide',
      isMine: true,
      reason: 'It is another book',
    });
    expect((await undo(id)).status).toBe(200);
    expect(await statusOf(copy._id)).toBe(200);
    expect(await caseOf(copy.title)).toMatchObject({ decision: null });
    expect((await undo(id)).status).toBe(409);
    expect((await decide(id, 'no-fault', { reason: '' })).status).toBe(200);
    expect((await own(seller)).some(({ title }) => title === copy.title)).toBe(false);
  });

  test('suspends a person for some days, and undone lifts that', async () => {
    const person = await aSeller(t);
    await report(undefined, 'person', person.id);
    const id = (await cases()).find(({ about }) => about._id === person.id)?._id ?? '';
    expect((await decide(id, 'hide')).status).toBe(400);
    expect((await decide(id, 'suspend', { days: 7 })).status).toBe(200);
    const suspension = async () => (await t.call(readOwnSuspension, {}, { as: person })).body.suspension;
    expect(await suspension()).toMatchObject({ reason: 'It is another book' });
    await undo(id);
    expect(await suspension()).toBeNull();
  });

  test('takes a review out of sight, and shows it again', async () => {
    const sale = await aSale(t, { seller, category });
    const order = (await bookingOf(t, sale)).orderId ?? '';
    const { rows } = await sql<{ id: string }>`INSERT INTO reviews (order_id, by, author_id, subject_id, stars, words,
        state, shown_at) VALUES (${order}, 'buyer', ${sale.buyer.id}, ${seller?.id}, 1, 'A thief and a liar', 'open', now())
      RETURNING id`.execute(t.db);
    const { seller_slug: slug } = await t.db
      .selectFrom('users')
      .select('seller_slug')
      .where('id', '=', seller?.id ?? '')
      .executeTakeFirstOrThrow();
    const words = async () =>
      (await t.call(listSellerReviews, { params: { slug: slug ?? '' }, query: {} })).body.map((review) => review.words);
    expect(await words()).toContain('A thief and a liar');
    await report(seller, 'review', rows[0]?.id ?? '', { reason: 'abuse' });
    const id = (await cases()).find(({ kind }) => kind === 'review')?._id ?? '';
    await decide(id, 'hide', { reason: 'It insults' });
    expect(await words()).not.toContain('A thief and a liar');
    await undo(id);
    expect(await words()).toContain('A thief and a liar');
  });

  test('is a row of the year’s file, without a name', async () => {
    const [copy, buyer] = [await aCopy(), await aBuyer(t)];
    await report(buyer, 'copy', copy._id, { reason: 'picture' });
    await report(undefined, 'copy', copy._id);
    await decide((await caseOf(copy.title))?._id ?? '', 'warn');
    const year = dayIn(new Date(), t.config.shopTimeZone).slice(0, 4);
    const read = (as: TestUser | undefined, of = year) =>
      t.send('GET', `/api/reports/decisions.csv?year=${of}`, { as });
    const { body, headers } = await read(admin);
    expect(headers['content-disposition']).toContain(`dogear-decisions-${year}.csv`);
    expect(body).toMatch(/"copy","picture untrue",2,1,"warn",""\r\n/);
    for (const secret of [buyer.name, buyer.email, seller?.name ?? '-', copy.title]) expect(body).not.toContain(secret);
    expect((await read(admin, '2001')).body.split('\r\n')).toHaveLength(2);
    expect([(await read(buyer)).statusCode, (await read(admin, 'x')).statusCode]).toEqual([403, 400]);
  });

  test('about an admin or by whom it is about is refused', async () => {
    await report(undefined, 'person', other?.id ?? '');
    const id = (await cases()).find(({ about }) => about._id === other?.id)?._id ?? '';
    expect((await decide(id, 'warn', {}, other)).status).toBe(403);
    expect((await decide(id, 'suspend')).status).toBe(409);
    expect((await decide(id, 'warn', {}, await aBuyer(t))).status).toBe(403);
    expect((await decide(randomUUID(), 'warn')).status).toBe(404);
  });
});

describe('an appeal', () => {
  test('is made once by whom it is about, and decided by another admin, who takes the decision back', async () => {
    const owner = await aSeller(t);
    const copy = await aCopy(owner);
    await report(undefined, 'copy', copy._id);
    const id = (await caseOf(copy.title))?._id ?? '';
    expect((await appeal(owner, id)).status).toBe(404);
    await decide(id, 'hide');
    expect(await own(owner)).toMatchObject([
      { _id: id, decision: 'hide', reason: 'It is another book', mayAppeal: true },
    ]);
    expect((await appeal(seller, id)).status).toBe(404);
    expect((await appeal(owner, id)).status).toBe(200);
    expect((await appeal(owner, id)).status).toBe(409);
    expect((await undo(id)).status).toBe(409);
    expect((await cases('appeals')).map(({ _id }) => _id)).toEqual([id]);
    const look = (isUpheld: boolean, as: TestUser | undefined) =>
      t.call(contract.decideAppeal, { params: { id }, body: { isUpheld, reason: 'The cover is right' } }, { as });
    expect((await look(false, admin)).status).toBe(403);
    expect((await look(false, other)).status).toBe(200);
    expect((await look(false, other)).status).toBe(409);
    expect(await statusOf(copy._id)).toBe(200);
    expect(await own(owner)).toMatchObject([{ appealUpheld: false, mayAppeal: false }]);
    expect(await subjects(owner)).toContain(`Your appeal about ${copy.title}`);
    const { rows } = await sql<{ action: string }>`SELECT action FROM audit_entries
      WHERE subject_id = ${copy._id} ORDER BY id`.execute(t.db);
    expect(rows.map(({ action }) => action)).toEqual(['report decided', 'appeal decided']);
  });
});

test('what an admin takes down without a report is a decision, and another admin puts it back on appeal', async () => {
  const seller = await aSeller(t);
  const { _id: id, title } = await aListing(t, seller, { title: 'Taken without a word' });
  const body = { reason: 'A scan of a library book' };
  expect((await t.call(deleteListing, { params: { id }, body }, { as: admin })).body).toEqual({ deletedCount: 1 });
  const [own] = (await t.call(contract.listOwnDecisions, { query: {} }, { as: seller })).body;
  expect(own).toMatchObject({ title, decision: 'delete', reason: body.reason });
  const params = { id: own?._id ?? '' };
  const appeal = await t.call(contract.appealDecision, { params, body: { words: 'It is my own' } }, { as: seller });
  expect(appeal.status).toBe(200);
  const decide = (as: TestUser | undefined) =>
    t.call(contract.decideAppeal, { params, body: { isUpheld: false, reason: 'It is theirs' } }, { as });
  expect((await decide(admin)).status).toBe(403);
  expect((await decide(other)).status).toBe(200);
  expect((await t.call(readListing, { params: { id } })).status).toBe(200);
});
