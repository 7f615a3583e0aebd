import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offerListing, readListing } from '#contract/catalog/catalog.ts';
import { declare, NO_IMPRINT, readDeclaration, type DeclarationInput } from '#contract/law/declaration.ts';
import { readTexts } from '#contract/law/texts.ts';
import { readSellerPage } from '#contract/sellers/sellers.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aDraft, aListing, aSeller, type TestUser } from '#test/make.ts';
import { putInForce } from './declaring.service.ts';

let t: TestApp;
let terms: string;
beforeAll(async () => {
  t = await testApp();
  terms = (await t.call(readTexts, {})).body.terms.version;
});
afterAll(() => t.close());

const BUSINESS = {
  business: 'Ink & Paper Ltd',
  address: '1 Quay Street\nBristol BS1 4QA',
  country: 'GB',
  email: 'desk@ink.example',
};
const say = (as: TestUser, input: Partial<DeclarationInput>) =>
  t.call(declare, { body: { kind: 'private', adult: true, terms, ...input } }, { as });
const pageOf = async ({ id }: TestUser) => {
  const { seller_slug: slug } = await t.db
    .selectFrom('users')
    .select('seller_slug')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return (await t.call(readSellerPage, { params: { slug: slug ?? '' } })).body;
};

describe('as what somebody sells', () => {
  test('is not known until they say it, and shown where they sell from then on', async () => {
    const seller = await aSeller(t);
    const { _id: id } = await aListing(t, seller);
    const listed = async () => (await t.call(readListing, { params: { id } })).body.seller_sells_as;
    expect([await listed(), (await pageOf(seller)).sellsAs, (await pageOf(seller)).imprint]).toEqual(['', '', null]);
    expect((await t.call(readDeclaration, {}, { as: seller })).body).toEqual({
      kind: '',
      ...NO_IMPRINT,
      declaredAt: null,
      terms,
      accepted: false,
    });
    expect((await say(seller, {})).body).toMatchObject({ kind: 'private', accepted: true });
    expect([await listed(), (await pageOf(seller)).imprint]).toEqual(['private', null]);
    expect((await say(seller, { kind: 'trader', ...BUSINESS })).status).toBe(200);
    expect(await listed()).toBe('trader');
    expect(await pageOf(seller)).toMatchObject({ sellsAs: 'trader', imprint: { ...NO_IMPRINT, ...BUSINESS } });
    // Who sells privately again shows nothing of the business any more.
    expect((await say(seller, { ...BUSINESS })).body).toMatchObject({ kind: 'private', ...NO_IMPRINT });
    expect((await pageOf(seller)).imprint).toBeNull();
  });

  test('needs of a business what the law has it show, and of all that they are of age and know the terms', async () => {
    const seller = await aSeller(t);
    const wrong = async (input: Partial<DeclarationInput>) => {
      const { status, body } = await say(seller, input);
      return [status, Object.keys((body as unknown as { error: { fields: object } }).error.fields)];
    };
    expect(await wrong({ kind: 'trader' })).toEqual([400, ['business', 'address', 'country', 'email']]);
    expect(await wrong({ kind: 'trader', ...BUSINESS, country: 'XX' })).toEqual([400, ['country']]);
    expect(await wrong({ kind: 'trader', ...BUSINESS, email: 'no' })).toEqual([400, ['email']]);
    expect(await wrong({ adult: false })).toEqual([400, ['adult']]);
    expect(await wrong({ terms: '1999-01-01' })).toEqual([400, ['adult']]);
    expect((await t.call(readDeclaration, {}, { as: seller })).body.kind).toBe('');
  });

  test('does not stand between a program and the shelf: the call of the specification stays', async () => {
    const seller = await aSeller(t);
    expect(
      (await t.call(offerListing, { body: aDraft(seller, await aCategory(t, seller)) }, { as: seller })).status,
    ).toBe(201);
  });
});

describe('the terms', () => {
  test('are accepted on record by whoever signs up, and once more by whoever sells', async () => {
    const body = { name: 'Vera Acceptance', email: 'vera.accepts@example.com', password: 'Accept#2026' };
    expect((await t.app.inject({ method: 'POST', url: '/api/auth/sign-up', payload: body })).statusCode).toBe(201);
    const rows = (email: string) =>
      t.db
        .selectFrom('terms_acceptances as a')
        .innerJoin('users as u', 'u.id', 'a.user_id')
        .select(['a.role', 'a.version'])
        .where('u.email', '=', email)
        .orderBy('a.role')
        .execute();
    expect(await rows(body.email)).toEqual([{ role: 'buyer', version: terms }]);
    const seller = await aSeller(t);
    await say(seller, {});
    await say(seller, {});
    expect(await rows(seller.email)).toEqual([{ role: 'seller', version: terms }]);
  });

  test('of a new wording are not accepted yet, and a wording is never changed under its version', async () => {
    const seller = await aSeller(t);
    await say(seller, {});
    const { words } = await t.db
      .selectFrom('terms_versions')
      .select('words')
      .where('version', '=', terms)
      .executeTakeFirstOrThrow();
    expect(await putInForce(t.db, { version: terms, words: `${words} And more.` })).toBe(false);
    expect(await putInForce(t.db, { version: 'next', words: 'All is new.' })).toBe(true);
    const later = await aSeller(t);
    await say(later, {});
    const { version } = await t.db
      .selectFrom('terms_acceptances')
      .select('version')
      .where('user_id', '=', later.id)
      .executeTakeFirstOrThrow();
    expect(version).toBe('next');
    // An operator who goes back to an earlier wording has that in force again.
    expect(await putInForce(t.db, { version: terms, words })).toBe(true);
    await say(await aSeller(t), {});
    expect((await t.call(readDeclaration, {}, { as: seller })).body.accepted).toBe(true);
  });
});
