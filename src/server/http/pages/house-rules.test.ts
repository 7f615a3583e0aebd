// What the landing page promises everybody, held to what the shop does.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSellingTerms } from '#contract/catalog/selling-terms.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { one, parse, textOf } from '#test/html.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ web: true });
});
afterAll(() => t.close());

test('Privacy says that pictures come from the shop, and the pages let in no others', async () => {
  const answer = await t.send('GET', '/');
  const privacy = textOf(one(parse(answer.body), 'section', { id: 'privacy' }));
  expect(String(answer.headers['content-security-policy'])).toContain("img-src 'self' data:;");
  expect(privacy).toContain('Pictures of books and people come from this shop');
  expect(privacy).toContain('no other server learns who looks at it');
});

test('the questions say who keeps what of a sale, by the terms of this shop, and that a buyer pays no fee', async () => {
  const shop = await testApp({ web: true, env: { STRIPE_FEE_PERCENT: '1.5', COMMISSION_PERCENT: '5' } });
  const { body: terms } = await shop.call(readSellingTerms, {});
  const page = parse((await shop.send('GET', '/')).body);
  await shop.close();
  expect(terms).toEqual({ feeBasisPoints: 150, feeCents: 30, commissionBasisPoints: 500, confirmedOnly: false });
  const words = 'the payment provider keeps 1.5% + $0.30 and the shop keeps 5%';
  expect(textOf(one(page, 'section', { id: 'faq' }))).toContain(
    `no fee. Of each sale ${words}; the rest is the seller’s.`,
  );
  expect(textOf(one(page, 'section', { id: 'terms' }))).toContain(`no fee. Of each sale ${words}`);
});
