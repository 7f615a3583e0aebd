// A book that is not as described goes back to its seller, who says that it never came: the shop decides.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { buyByPost } from './by-post.ts';
import { alive } from './failing.ts';
import { openJourney } from './journey.ts';
import { shoot } from './pictures.ts';
import type { RunningShop } from './shop.ts';
import type { Member } from './sign-in.ts';

let shop: RunningShop;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let seller: Member;
let admin: Member;

beforeAll(async () => {
  ({ shop, db, buyer, seller, admin, close } = await openJourney());
});
afterAll(() => close());

const hasHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await alive(page);
};
/** Opens what else can be done, and answers its dialog. */
const ask = async (page: Page, name: string) => {
  await page.getByRole('group', { name: 'More' }).getByRole('button', { name, exact: true }).click();
  return page.getByRole('dialog', { name });
};

test('a book is asked back with its label, sent back, never seen again, and the shop lets the sale stand', async () => {
  const { order: id } = await buyByPost(shop, db, buyer);
  const path = `/dashboard/orders/${id}`;
  await seller.call('POST', `/orders/${id}/moves`, { move: 'post', carrier: 'USPS', tracking: '9400' });
  await buyer.call('POST', `/orders/${id}/moves`, { move: 'receive' });
  await open(buyer.page, path);
  const report = await ask(buyer.page, 'Report a problem');
  await report.getByRole('radio', { name: /^Condition/ }).check();
  await report.getByLabel('In your words').fill('It was to be as new, and has notes on every page.');
  await report.getByRole('button', { name: 'Report a problem' }).click();
  await hasHeading(buyer.page, 'There is a problem');

  await open(seller.page, path);
  await seller.page.getByText('It is not as described: the condition').waitFor();
  const back = await ask(seller.page, 'Ask for it back');
  await back.getByRole('button', { name: 'Ask for it back' }).click();
  await back.getByText('Say how it is sent back, and where to').waitFor();
  const how = 'The label is at the counter of any post office: 9405 55. It goes to 14 Paper Lane, Portland.';
  await back.getByLabel('How to send it back').fill(how);
  await expectAccessible(seller.page, 'asking a book back');
  await shoot(seller.page, 'ask-back-dialog');
  await back.getByRole('button', { name: 'Ask for it back' }).click();
  await hasHeading(seller.page, 'To be sent back');

  await open(buyer.page, path);
  await hasHeading(buyer.page, 'Please send it back');
  await buyer.page.getByRole('region', { name: 'How to send it back' }).getByText(how).waitFor();
  await shoot(buyer.page, 'send-it-back');
  expect(await buyer.page.getByRole('button', { name: 'The carrier says it arrived' }).count()).toBe(0);
  await buyer.page.getByRole('button', { name: 'I have sent it back', exact: true }).click();
  await hasHeading(buyer.page, 'On its way back');

  await open(seller.page, path);
  await hasHeading(seller.page, 'On its way back to you');
  const decide = await ask(seller.page, 'Let the shop decide');
  await decide.getByRole('button', { name: 'Let the shop decide' }).click();
  await hasHeading(seller.page, 'We are deciding');
  await shoot(seller.page, 'return-to-decide');

  await open(admin.page, path);
  await hasHeading(admin.page, 'Yours to decide');
  await expectAccessible(admin.page, 'deciding about a return');
  await shoot(admin.page, 'deciding-admin');
  const stands = await ask(admin.page, 'The sale stands');
  await stands.getByRole('button', { name: 'The sale stands' }).click();
  await hasHeading(admin.page, 'The buyer kept it');
  await open(seller.page, path);
  await seller.page.getByText('The shop let the sale stand').waitFor();
});
