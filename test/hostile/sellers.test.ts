// What can be found out about people by guessing the addresses of sellers' pages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSellerPage } from '#contract/sellers/sellers.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { anAdmin, aUser } from '#test/make.ts';
import { deleteUser } from '#contract/admin/admin.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const ask = async (slug: string) => {
  const { status, body } = await t.call(readSellerPage, { params: { slug } });
  const { error, ...rest } = body as unknown as { error: { requestId: string; code: string; message: string } };
  return [status, rest, error.code, error.message];
};

test('who only buys, who has left and who was never here are the same: no such seller', async () => {
  const admin = await anAdmin(t);
  const buyer = await aUser(t, { roles: ['buyer'], name: 'Bertram Buyer' });
  const gone = await aUser(t, { roles: ['seller'], name: 'Gerda Gone' });
  await t.call(deleteUser, { params: { id: gone.id } }, { as: admin });
  const nobody = await ask('nobody-at-all');
  expect(nobody[0]).toBe(404);
  for (const slug of [
    'bertram-buyer',
    'gerda-gone',
    buyer.id,
    gone.id,
    `seller-${buyer.id.slice(0, 8)}`,
    '%00',
    "' OR 1=1 --",
  ])
    expect(await ask(slug), slug).toEqual(nobody);
});
