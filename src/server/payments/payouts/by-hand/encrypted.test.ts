import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { enterBankDetails, readBankDetails } from '#contract/money/by-hand.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAccount, BY_HAND, byHandSteps, openByHand } from '#test/money/by-hand.ts';
import { aSeller, type TestUser } from '#test/make.ts';
import { openDetails, sealDetails } from './details-cipher.ts';
import { renewSealed } from './details.service.ts';

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');

let t: TestApp;
let admins: [TestUser, TestUser];
let seller: TestUser;

beforeAll(async () => {
  ({ t, admins } = await openByHand({ PAYOUT_DETAILS_KEY: OLD }));
});
beforeEach(async () => {
  seller = await aSeller(t);
});
afterAll(() => t.close());

const { due, enter, hold, make, file, work } = byHandSteps(
  () => t,
  () => admins,
);

describe('what is encrypted', () => {
  const tidy = { kind: 'iban', holder: 'Ada', country: 'DE', iban: 'DE89370400440532013000' } as const;

  test('is read by its own key, for its own seller, and unchanged alone', () => {
    const sealed = sealDetails([OLD], seller.id, tidy);
    expect(openDetails([OLD], seller.id, sealed)).toEqual(tidy);
    expect(openDetails([NEW, OLD], seller.id, sealed)).toEqual(tidy);
    expect(() => openDetails([NEW], seller.id, sealed)).toThrow('PAYOUT_DETAILS_KEY');
    expect(() => openDetails([OLD], admins[0].id, sealed)).toThrow();
    for (const at of [0, 12, 28, sealed.sealed.length - 1]) {
      const changed = Buffer.from(sealed.sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openDetails([OLD], seller.id, { ...sealed, sealed: changed })).toThrow();
    }
    expect(sealDetails([OLD], seller.id, tidy).sealed.equals(sealed.sealed)).toBe(false);
  });

  test('goes over to a new key, copies in batches too, and the old one may go', async () => {
    await due(seller, 2_000);
    await enter(seller);
    const twin = await aSeller(t);
    await due(twin, 2_000);
    await enter(twin);
    await hold();
    const { body: batch } = await make([seller]);
    const before = (await file(batch.id)).rawPayload;
    expect((await work()).due.find(({ sellerId }) => sellerId === twin.id)?.sameAccountAs).toContain(seller.name);
    expect(await renewSealed(t.db, [NEW, OLD])).toBeGreaterThan(2);
    expect(await renewSealed(t.db, [NEW, OLD])).toBe(0);
    const rotated = await testApp({ beside: t, env: { ...BY_HAND, PAYOUT_DETAILS_KEY: NEW } });
    const url = `/api/money/batches/${batch.id}/file?format=csv`;
    expect((await rotated.send('GET', url, { as: admins[0] })).rawPayload).toEqual(before);
    const late = await aSeller(rotated);
    await rotated.call(enterBankDetails, { body: anAccount() }, { as: late });
    await due(late, 2_000);
    const row = (await work()).due.find(({ sellerId }) => sellerId === late.id);
    expect(row?.sameAccountAs.length).toBeGreaterThan(0);
    await rotated.close();
    // The shop that has only the old key says so, and does not break.
    expect(await t.call(readBankDetails, {}, { as: seller })).toMatchObject({
      status: 409,
      body: { error: { code: 'payouts_refused' } },
    });
    await renewSealed(t.db, [OLD, NEW]);
  });
});

test('account numbers and keys are in no line of the log, whatever goes wrong', async () => {
  const lines: string[] = [];
  const logged = await testApp({
    beside: t,
    env: { ...BY_HAND, PAYOUT_DETAILS_KEY: OLD, LOG_LEVEL: 'trace' },
    writeLog: (line) => lines.push(line),
  });
  const put = (body: ReturnType<typeof anAccount>) => logged.call(enterBankDetails, { body }, { as: seller });
  expect(await put(anAccount({ account: '31415926535' }))).toMatchObject({ status: 200 });
  expect(await put(anAccount({ account: '31415926535', password: 'Wrong#1' }))).toMatchObject({ status: 400 });
  expect(await put(anAccount({ account: '31415926535', routing: '1' }))).toMatchObject({ status: 400 });
  // Somebody has changed what is stored: an error nobody expects.
  await sql`UPDATE payout_details SET sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30))
    WHERE seller_id = ${seller.id}`.execute(t.db);
  expect(await logged.call(readBankDetails, {}, { as: seller })).toMatchObject({ status: 500 });
  await logged.close();
  expect(lines.filter((line) => line.includes('"statusCode":500') || line.includes('"status":500'))).not.toEqual([]);
  for (const secret of ['31415926535', OLD, 'Wrong#1']) expect(lines.join('')).not.toContain(secret);
  await t.db.deleteFrom('payout_details').where('seller_id', '=', seller.id).execute();
});
