import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveBatch } from '#contract/money/by-hand.ts';
import { listPayouts, readPayoutAccount } from '#contract/money/payouts.ts';
import { readStatementSummary } from '#contract/money/ledger.ts';
import { listAudit } from '#contract/admin/audit.ts';
import type { TestApp } from '#test/app.ts';
import { expectInvariants } from '#test/money/expect-invariants.ts';
import { ACCOUNT, anAccount, anIban, byHandSteps, IBAN, openByHand } from '#test/money/by-hand.ts';
import { aSeller, aUser, type TestUser } from '#test/make.ts';

let t: TestApp;
let admin: TestUser;
let second: TestUser;
let seller: TestUser;

beforeAll(async () => {
  ({
    t,
    admins: [admin, second],
  } = await openByHand());
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterEach(() => expectInvariants(t.db));
afterAll(() => t.close());

const steps = byHandSteps(
  () => t,
  () => [admin, second],
);
const { due, enter, hold, make, read, file, shopDay, paid, returned, rowOf, balanceOn, aBatch } = steps;

describe('from due to paid', () => {
  test('details, a pause, a batch, its file, the bank’s word, and a mail; the statement explains it', async () => {
    await due(seller, 40_000);
    expect(await rowOf(seller)).toMatchObject({ state: 'no-details', amount: 400, shown: null, secondAdmin: null });
    expect((await t.call(readPayoutAccount, {}, { as: seller })).body).toMatchObject({ way: 'manual', status: 'none' });
    expect(await enter(seller)).toMatchObject({ status: 200 });
    expect(await rowOf(seller)).toMatchObject({ state: 'paused', shown: '…6789', pausedUntil: expect.any(String) });
    expect(await make([seller])).toMatchObject({ status: 409, body: { id: null, error: { code: 'payouts_refused' } } });
    await hold();
    expect(await rowOf(seller)).toMatchObject({ state: 'ready', pausedUntil: null });
    const made = await make([seller]);
    expect(made).toMatchObject({
      status: 201,
      body: { amount: 400, count: 1, open: 1, needsApproval: false, mine: true, formats: ['csv', 'nacha'] },
    });
    expect(await rowOf(seller)).toBeUndefined();
    expect([await balanceOn(seller, 'seller'), await balanceOn(seller, 'in-transit')]).toEqual([0, -40_000]);
    const csv = await file(made.body.id);
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="dogear-batch-\d+\.csv"$/);
    expect(csv.body).toContain(`"Ada Lovelace","US","ACH","","021000021","${ACCOUNT}","checking",400.00,"USD"`);
    const nacha = await file(made.body.id, 'nacha');
    expect(nacha.headers['content-disposition']).toMatch(/\.ach"$/);
    expect(nacha.body).toContain('622021000021000123456789     0000040000');
    const { payouts } = await read(made.body.id);
    expect(payouts).toMatchObject([{ holder: 'Ada Lovelace', shown: '…6789', state: 'asked', amount: 400 }]);
    expect(await paid(payouts[0]?.id ?? '')).toMatchObject({
      status: 200,
      body: { state: 'sent', reference: 'WIRE-7', settledOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    });
    expect([await balanceOn(seller, 'seller'), await balanceOn(seller, 'in-transit')]).toEqual([0, 0]);
    const { body: rows } = await t.call(listPayouts, { query: {} }, { as: seller });
    expect(rows).toMatchObject([{ amount: 400, state: 'sent', says: 'The shop has sent it to your bank account.' }]);
    const subjects = (await t.mailTo(seller.email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your money is on its way: $400.00');
    expect(subjects).toContain('Your bank details were entered');
    const { body: summary } = await t.call(readStatementSummary, {}, { as: seller });
    expect(summary).toMatchObject({ due: 0, onItsWay: 0, paidOut: 400 });
  });

  test('an IBAN is a row for a wire, and in no file of NACHA', async () => {
    const batch = await aBatch(seller, 40_000, anIban());
    expect(batch.formats).toEqual(['csv']);
    expect((await file(batch.id)).body).toContain(`"Jürgen Müller","DE","wire","${IBAN}","","","",400.00`);
    expect((await file(batch.id, 'nacha')).json()).toMatchObject({ error: { code: 'payout_moved' } });
    const { body: trail } = await t.call(listAudit, { query: { limit: '2' } }, { as: admin });
    expect(trail.map(({ action }) => action)).toEqual(['payout file downloaded', 'payout batch made']);
  });

  test('names that a spreadsheet or a bank would take for something else are harmless in each file', async () => {
    const batch = await aBatch(seller, 40_000, anAccount({ holder: '=cmd|calc!A1 <b> Groß' }));
    expect((await file(batch.id)).body).toContain(`"'=cmd|calc!A1 <b> Groß"`);
    const nacha = (await file(batch.id, 'nacha')).body;
    expect(nacha).toContain('CMD CALC A1 B GROSS');
    expect(nacha.split('\n').filter((line) => line !== '' && line.length !== 94)).toEqual([]);
    expect(await enter(seller, anAccount({ holder: 'x'.repeat(71) }))).toMatchObject({
      status: 400,
      body: { error: { fields: { holder: expect.any(String) } } },
    });
  });

  test('less than the minimum, or of somebody who is suspended, is listed and not paid', async () => {
    await due(seller, 999);
    await enter(seller);
    await hold();
    expect(await rowOf(seller)).toMatchObject({ state: 'below-minimum' });
    expect(await make([seller])).toMatchObject({ status: 409 });
    await due(seller, 1);
    expect(await rowOf(seller)).toMatchObject({ state: 'ready' });
    await t.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', seller.id).execute();
    expect(await rowOf(seller)).toMatchObject({ state: 'suspended' });
    expect(await make([seller])).toMatchObject({ status: 409 });
  });

  test('an account that two sellers have is shown at both', async () => {
    const [one, two] = [
      await aUser(t, { roles: ['seller'], name: 'Una' }),
      await aUser(t, { roles: ['seller'], name: 'Dua' }),
    ];
    for (const each of [one, two]) {
      await due(each, 2_000);
      await enter(each, anAccount({ account: '55511122233', holder: each.name }));
    }
    expect((await rowOf(one))?.sameAccountAs).toEqual(['Dua']);
    expect((await rowOf(two))?.sameAccountAs).toEqual(['Una']);
  });
});

test.each([
  ['2026-02-31', 'There is no such day'],
  ['2999-01-01', 'This day is still to come'],
  ['2020-01-01', 'The batch was made after this day'],
])('the bank cannot have paid on %s', async (on, says) => {
  const batch = await aBatch(seller, 2_000);
  expect(await paid(batch.payoutId, on)).toMatchObject({
    status: 400,
    body: { error: { fields: { on: says } } },
  });
});

test('a batch and its payouts are nothing to sellers, whoever is paid, nor to buyers', async () => {
  const { id, payoutId } = await aBatch(seller, 2_000);
  const buyer = await aUser(t, { roles: ['buyer', 'seller'] });
  for (const as of [seller, buyer]) {
    for (const [method, path, body] of [
      ['GET', `batches/${id}`],
      ['GET', `batches/${id}/file?format=csv`],
      ['POST', `batches/${id}/approve`],
      ['POST', `payouts/${payoutId}/paid`, { reference: 'Mine', on: await shopDay() }],
      ['POST', `payouts/${payoutId}/struck-off`, { reason: 'Mine' }],
      ['POST', `payouts/${payoutId}/returned`, { reason: 'Mine' }],
      ['POST', 'batches', { sellerIds: [seller.id] }],
      ['GET', 'by-hand'],
    ] as const) {
      expect((await t.send(method, `/api/money/${path}`, { as, ...(body && { body }) })).statusCode, path).toBe(403);
    }
  }
  expect((await read(id)).payouts).toMatchObject([{ state: 'asked' }]);
});

test('everything is written down, and no account number anywhere but in the file', async () => {
  const batch = await aBatch(seller, 60_000, anAccount({ account: '71717171717' }));
  await t.call(approveBatch, { params: { id: batch.id } }, { as: second });
  expect((await file(batch.id)).body).toContain('71717171717');
  await paid(batch.payoutId);
  await returned(batch.payoutId);
  const { body: trail } = await t.call(listAudit, { query: { limit: '20' } }, { as: admin });
  const [, number = ''] = /of payout (batch \d+)/.exec(trail[2]?.says ?? '') ?? [];
  expect(trail.map(({ says }) => says).slice(0, 6)).toEqual([
    'Noted that the bank sent back a payout of $600.00 to Ada Reader',
    'Marked a payout of $600.00 to Ada Reader as paid',
    `Downloaded the file of payout ${number} (csv)`,
    `Approved payout ${number}`,
    `Made payout ${number} of $600.00 for 1 seller`,
    'Entered bank details (…1717)',
  ]);
  await t.mailTo(seller.email);
  for (const table of ['payout_details', 'hand_payouts', 'payouts', 'payout_batches', 'audit_entries', 'outbox']) {
    const { rows } = await sql<{ text: string }>`SELECT x::text AS text FROM ${sql.table(table)} AS x`.execute(t.db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) {
      expect(text).not.toContain('71717171717');
      expect(text).not.toContain(Buffer.from('71717171717').toString('hex'));
    }
  }
});
