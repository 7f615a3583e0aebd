import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteListing, readListing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, anAdmin, aSeller, aUser, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t);
});
afterAll(() => t.close());

test('a seller is told of what an admin took down, with the reason, and nothing of what they deleted themselves', async () => {
  const owner = await aUser(t, { roles: ['seller'] });
  const [down, own, silent] = [
    await aListing(t, owner, { title: 'Emma' }),
    await aListing(t, owner, { title: 'Persuasion' }),
    await aListing(t, owner, { title: 'Sanditon' }),
  ];
  const takeDown = (id: string, body?: { reason: string }) =>
    t.call(deleteListing, { params: { id }, ...(body && { body }) }, { as: admin });
  const reason = 'The picture shows another book';
  expect((await takeDown(down._id, { reason: ` ${reason}\n` })).body).toEqual({ deletedCount: 1 });
  expect((await takeDown(silent._id)).body).toEqual({ deletedCount: 1 });
  await t.call(deleteListing, { params: { id: own._id } }, { as: owner });
  const mails = (await t.mailTo(owner.email)).filter(({ subject }) => subject.startsWith('Taken down'));
  expect(mails.map(({ subject }) => subject).sort()).toEqual(['Taken down: Emma', 'Taken down: Sanditon']);
  const [emma, sanditon] = ['Emma', 'Sanditon'].map((title) => mails.find(({ subject }) => subject.endsWith(title)));
  expect(emma?.text).toContain(`Reason: ${reason}`);
  expect(emma?.text).toContain('appeal in Account, under Decisions, within 30 days');
  expect(sanditon?.text).not.toContain('Reason');
  const deeds = await t.db.selectFrom('audit_entries').select('details').where('subject_id', '=', down._id).execute();
  expect(deeds).toEqual([{ details: { title: 'Emma', reason } }]);
});

test('taking a copy down takes a reason of 1 to 500 characters, or none', async () => {
  const copy = await aListing(t, await aSeller(t));
  for (const body of [{ reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: null }]) {
    const given = { params: { id: copy._id }, body: body as { reason: string } };
    const answer = await t.call(deleteListing, given, { as: admin });
    expect([answer.status, Object.keys(answer.body.error?.fields ?? {})]).toEqual([400, ['reason']]);
  }
  expect((await t.call(readListing, { params: { id: copy._id } })).body.status).toBe('Available');
});
