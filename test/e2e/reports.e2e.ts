// An admin's Monday: what readers reported is decided, seen by a visitor, appealed, and taken back by another admin.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedUser } from '#contract/admin/admin.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { payByPost } from './by-post.ts';
import { copiesThat } from './copies.ts';
import { openMail } from './mailbox.ts';
import { openShop, type RunningShop } from './shop.ts';
import { openRow } from './rows.ts';
import { aMember, memberWith, type Member } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

const PHONE = 360;

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const idOf = async (admin: Member, email: string): Promise<string> =>
  (await admin.call<ListedUser[]>('GET', `/users?q=${email}`))[0]?._id ?? '';

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const queue = (page: Page) => page.getByRole('list', { name: 'Reports to decide' });

const reportIt = async (page: Page, reason: string, words: string): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: /^Report a/ }).waitFor();
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.getByText('Choose what is wrong').waitFor();
  await page.getByLabel('What is wrong').selectOption(reason);
  await page.getByLabel('In your words').fill(words);
  await expectAccessible(page, 'the form of a report');
  expect(await fits(page)).toBe(true);
  await page.getByRole('button', { name: 'Send report' }).click();
  await page.getByText('Thank you').waitFor();
};

test('a reported book is hidden, its seller appeals, and another admin takes the decision back', async () => {
  const [copy] = await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books');
  if (copy === undefined) throw new Error('Marlow Books has nothing');
  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  const statusOf = async () => (await visitor.page.goto(`/book/${copy._id}`))?.status();
  await statusOf();
  await visitor.page.getByRole('link', { name: 'Report this book' }).click();
  await reportIt(visitor.page, 'picture', 'The picture is of another book <b>really</b>');

  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE });
  await admin.page.goto('/dashboard');
  await admin.page.getByRole('link', { name: /1 report to decide/ }).click();
  await queue(admin.page).getByText('The picture is of another book <b>really</b>').waitFor();
  await expectAccessible(admin.page, 'Reported Items with a report');
  expect(await fits(admin.page)).toBe(true);
  await queue(admin.page)
    .getByRole('button', { name: /^Decide/ })
    .click();
  const dialog = admin.page.getByRole('dialog', { name: `Decide about ${copy.title}` });
  await dialog.getByLabel('Take the book off the shelf').check();
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click();
  await dialog.getByText('Please give a reason').waitFor();
  await dialog.getByLabel('Reason').fill('The picture shows another edition');
  await expectAccessible(admin.page, 'the dialog that decides');
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click();
  await admin.page.getByText('They are told why, and who reported it that it was looked at.').waitFor();
  await expect.poll(statusOf).toBe(404);

  // What was done can be undone at once, and done again.
  const decided = admin.page.getByRole('list', { name: 'Decided' });
  await decided.getByRole('button', { name: /^Undo/ }).click();
  await queue(admin.page).getByRole('link', { name: copy.title }).waitFor();
  await expect.poll(statusOf).toBe(200);
  await queue(admin.page)
    .getByRole('button', { name: /^Decide/ })
    .click();
  await dialog.getByLabel('Take the book off the shelf').check();
  await dialog.getByLabel('Reason').fill('The picture shows another edition');
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click();
  await decided.getByText('Hidden').waitFor();
  await expect.poll(statusOf).toBe(404);

  const seller = await aMember(browser, shop.url, 'Seller', { width: PHONE });
  await openMail(seller.page, `Decided about ${copy.title}`);
  await seller.page.getByText('The picture shows another edition').first().waitFor();
  await seller.page.goto('/dashboard/account#decisions');
  const decisions = seller.page.getByRole('list', { name: 'Decisions' });
  await decisions.getByText('The picture shows another edition').waitFor();
  await decisions.getByRole('button', { name: /^Appeal/ }).click();
  await decisions.getByLabel('Why it is a mistake').fill('The picture is of this very copy.');
  await expectAccessible(seller.page, 'an appeal');
  expect(await fits(seller.page)).toBe(true);
  await decisions.getByRole('button', { name: 'Send appeal' }).click();
  await decisions.getByText('You appealed: another admin looks at it.').waitFor();

  // Whoever decided does not look at the appeal.
  await admin.page.reload();
  await admin.page.getByText('You decided this: another admin looks at the appeal.').first().waitFor();
  const [nora] = await admin.call<ListedUser[]>('GET', '/users?q=buyer@example.com');
  await admin.call('PUT', `/users/admin/${nora?._id}`);
  const second = await aMember(browser, shop.url, 'Buyer', { width: PHONE });
  await second.page.goto('/dashboard/reported_items');
  const appeals = second.page.getByRole('list', { name: 'Appeals' });
  await appeals.getByRole('button', { name: /^Look at the appeal/ }).click();
  const appealed = second.page.getByRole('dialog', { name: `The appeal about ${copy.title}` });
  await appealed.getByText('The picture is of this very copy.').waitFor();
  await appealed.getByLabel('It is taken back').check();
  await appealed.getByLabel('Reason').fill('It is the right picture');
  await appealed.getByRole('button', { name: 'Decide', exact: true }).click();
  await second.page.getByText('The decision is taken back').first().waitFor();
  await expect.poll(statusOf).toBe(200);
  await seller.page.reload();
  await decisions.getByText('You appealed, and the decision was taken back.').waitFor();
  for (const one of [visitor, admin, seller, second]) await one.leave();
});

test('a reported photo is taken down, and the book stays with the others', async () => {
  const [copy] = await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books');
  if (copy === undefined) throw new Error('Marlow Books has nothing');
  const owner = await aMember(browser, shop.url, 'Seller');
  const photos = [await owner.photo(), await owner.photo()].map((id) => ({ id, caption: null }));
  await owner.call('PATCH', `/categories/${copy._id}`, { photos });
  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  const shown = async () => {
    await visitor.page.goto(`/book/${copy._id}`);
    return visitor.page
      .getByRole('region', { name: 'Photos' })
      .getByRole('button', { name: /show it large/ })
      .count();
  };
  const before = await shown();
  await visitor.page
    .getByRole('button', { name: /show it large/ })
    .first()
    .click();
  const large = visitor.page.getByRole('dialog', { name: `Photos of ${copy.title}` });
  await expectAccessible(visitor.page, 'a photo shown large');
  await large.getByRole('link', { name: 'Report this photo' }).click();
  await reportIt(visitor.page, 'picture', 'It is taken from my own shop');
  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE });
  await admin.page.goto('/dashboard/reported_items');
  await queue(admin.page)
    .getByRole('button', { name: /^Decide/ })
    .first()
    .click();
  await queue(admin.page)
    .getByRole('img', { name: /^What is reported/ })
    .waitFor();
  expect(await fits(admin.page)).toBe(true);
  const dialog = admin.page.getByRole('dialog', { name: `Decide about A photo of ${copy.title}` });
  await dialog.getByLabel('Take the photo down, for good').check();
  await dialog.getByLabel('Reason').fill('It belongs to another shop');
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click();
  await admin.page.getByText('They are told why, and who reported it that it was looked at.').waitFor();
  await expect.poll(shown).toBe(before - 1);
  for (const one of [owner, visitor, admin]) await one.leave();
});

/** An admin suspends the seller who was reported, and says why. */
const suspendForAWeek = async (page: Page): Promise<void> => {
  await page.goto('/dashboard/reported_items');
  await queue(page)
    .getByRole('button', { name: /^Decide.*Marlow Books/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Decide about Marlow Books' });
  await dialog.getByLabel('Suspend them').check();
  await dialog.getByLabel('For how long').selectOption('A week');
  await dialog.getByLabel('Reason').fill('Payment outside the shop');
  await dialog.getByRole('button', { name: 'Decide', exact: true }).click();
  await page.getByRole('list', { name: 'Decided' }).getByText('Suspended').first().waitFor();
};

/** A copy of Marlow Books that is posted, bought and paid for by somebody. */
const bought = async (buyer: Member, email: string): Promise<string> => {
  const [copy] = await copiesThat(
    shop.url,
    ({ Seller, delivery, status }) => Seller === 'Marlow Books' && delivery.post && status === 'Available',
  );
  if (copy === undefined) throw new Error('Marlow Books posts nothing');
  const { _id: listingId, title, image_url, resale_price: price } = copy;
  const draft = { listingId, title, image_url, price, buyer: '', email, phone: '+1 555 0142', location: '' };
  const { insertedId } = await buyer.call<{ insertedId: string }>('POST', '/bookings', draft);
  await buyer.page.goto(`/dashboard/payment/${insertedId}`);
  await payByPost(buyer.page);
  return title;
};

test('a fraud is reported, its order paid back, the seller suspended, and the suspension stands on appeal', async () => {
  const reader = { email: 'bea@example.com', password: 'Reader#Bea1' };
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  await registerUser(db, { ...reader, name: 'Bea Reader', roles: ['buyer'], emailProven: true });
  const other = await db.selectFrom('users').select('id').where('email', '=', 'buyer@example.com').executeTakeFirst();
  await db
    .updateTable('users')
    .set({ is_admin: true })
    .where('id', '=', other?.id ?? '')
    .execute();
  await close();
  const buyer = await memberWith(browser, shop.url, reader, { width: PHONE });
  const title = await bought(buyer, reader.email);
  await buyer.page.goto('/seller/marlow-books');
  await buyer.page.getByRole('link', { name: 'Report this seller' }).click();
  await reportIt(buyer.page, 'fraud', 'Wants a gift card beside what I paid');

  // From the report to the person, and what they sold to whom.
  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE });
  await admin.page.goto('/dashboard/reported_items');
  await queue(admin.page).getByText('Wants a gift card').waitFor();
  await admin.page.goto('/dashboard/all_sellers?q=Marlow');
  await openRow(admin.page.getByRole('row').filter({ hasText: 'Marlow Books' }));
  await admin.page.getByRole('link', { name: /^Details\s*: Marlow Books/ }).click();
  await admin.page
    .getByRole('list', { name: /^Orders/ })
    .getByText('Sold to Bea Reader')
    .waitFor();
  await admin.page.goto(`/dashboard/money?q=${encodeURIComponent(reader.email)}`);
  const row = admin.page.getByRole('row').filter({ hasText: title });
  await openRow(row);
  await row.getByRole('button', { name: /^Refund/ }).click();
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Refund in full' }).click();
  await row.getByText('Refunded', { exact: true }).waitFor();
  await openMail(buyer.page, `Refunded: ${title}`);

  await suspendForAWeek(admin.page);
  await openMail(buyer.page, 'We looked at your report: Marlow Books');
  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  await expect.poll(async () => (await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books')).length).toBe(0);

  const seller = await aMember(browser, shop.url, 'Seller', { width: PHONE });
  await seller.page.goto('/dashboard/account#decisions');
  const decision = seller.page
    .getByRole('list', { name: 'Decisions' })
    .getByRole('listitem')
    .filter({ hasText: 'Payment outside the shop' });
  await decision.getByRole('button', { name: /^Appeal/ }).click();
  await decision.getByLabel('Why it is a mistake').fill('It was a joke.');
  await decision.getByRole('button', { name: 'Send appeal' }).click();
  await decision.getByText('You appealed: another admin looks at it.').waitFor();
  const second = await aMember(browser, shop.url, 'Buyer', { width: PHONE });
  await second.page.goto('/dashboard/reported_items');
  await second.page
    .getByRole('list', { name: 'Appeals' })
    .getByRole('button', { name: /^Look at the appeal/ })
    .click();
  const appealed = second.page.getByRole('dialog', { name: 'The appeal about Marlow Books' });
  await appealed.getByLabel('It stays').check();
  await appealed.getByLabel('Reason').fill('The messages say otherwise');
  await appealed.getByRole('button', { name: 'Decide', exact: true }).click();
  await second.page.getByRole('list', { name: 'Appeals' }).waitFor({ state: 'hidden' });
  await seller.page.goto('/dashboard');
  await seller.page.getByText('Payment outside the shop').first().waitFor();
  await visitor.page.goto('/search?q=marlow');
  await admin.call('DELETE', `/users/suspended/${await idOf(admin, 'seller@example.com')}`);
  await expect
    .poll(async () => (await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books')).length, {
      timeout: 30_000,
    })
    .toBeGreaterThan(0);
  for (const one of [buyer, admin, visitor, seller, second]) await one.leave();
});

test('a seller who was reported is suspended, and their shelf is gone', async () => {
  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  await visitor.page.goto('/seller/marlow-books');
  await visitor.page.getByRole('link', { name: 'Report this seller' }).click();
  await reportIt(visitor.page, 'fraud', 'Asks to be paid by gift card');
  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE, theme: 'dark' });
  await suspendForAWeek(admin.page);
  await visitor.page.goto('/search?q=marlow');
  await expect.poll(async () => (await copiesThat(shop.url, ({ Seller }) => Seller === 'Marlow Books')).length).toBe(0);
  const seller = await aMember(browser, shop.url, 'Seller', { width: PHONE });
  await seller.page.goto('/dashboard');
  await seller.page.getByText('Payment outside the shop').first().waitFor();
  for (const one of [visitor, admin, seller]) await one.leave();
});

test('a reported book is deleted, then the person who sold it with all the others', async () => {
  const sellerName = 'Hannah Weiss';
  const own = () => copiesThat(shop.url, ({ Seller }) => Seller === sellerName);
  const [copy] = await own();
  if (copy === undefined) throw new Error(`${sellerName} has nothing`);
  const visitor = await aVisitor(browser, shop.url, { width: PHONE });
  const admin = await aMember(browser, shop.url, 'Admin', { width: PHONE });
  const status = async (path: string) => (await visitor.page.goto(path))?.status();
  const decide = async (about: string, what: RegExp): Promise<void> => {
    await admin.page.goto('/dashboard/reported_items');
    await queue(admin.page)
      .getByRole('button', { name: new RegExp(`^Decide.*${about}`) })
      .click();
    const dialog = admin.page.getByRole('dialog', { name: `Decide about ${about}` });
    await dialog.getByLabel(what).check();
    await dialog.getByLabel('Reason').fill('A pirated print');
    await dialog.getByRole('button', { name: 'Decide', exact: true }).click();
    await admin.page.getByRole('list', { name: 'Decided' }).getByText(about).first().waitFor();
  };
  await visitor.page.goto(`/book/${copy._id}`);
  await visitor.page.getByRole('link', { name: 'Report this book' }).click();
  await reportIt(visitor.page, 'counterfeit', 'Printed at home');
  await decide(copy.title, /^Delete the book/);
  await expect.poll(() => status(`/book/${copy._id}`)).toBe(404);

  const [other] = await own();
  expect(await status('/seller/hannah-weiss')).toBe(200);
  await visitor.page.getByRole('link', { name: 'Report this seller' }).click();
  await reportIt(visitor.page, 'counterfeit', 'All of them are');
  await decide(sellerName, /^Delete them/);
  await expect.poll(() => status('/seller/hannah-weiss')).toBe(404);
  await expect.poll(() => status(`/book/${other?._id}`)).toBe(404);
  for (const one of [visitor, admin]) await one.leave();
});
