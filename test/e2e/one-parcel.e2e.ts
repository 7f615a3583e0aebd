// How a book comes to its buyer: picked up or posted, by itself or with another one of its seller in one parcel.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BookingDetail } from '#contract/bookings/bookings.ts';
import type { ListingDetail } from '#contract/catalog/catalog.ts';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { expectAccessible } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { copiesThat } from './copies.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';

let shop: RunningShop;
let browser: Browser;
let buyer: Member;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  buyer = await aMember(browser, shop.url, 'Buyer', { width: 390 });
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const book = async (
  copy: ListingDetail | undefined,
  { call }: Member = buyer,
  phone = '+1 555 0142',
): Promise<ListingDetail & { id: string }> => {
  if (copy === undefined) throw new Error('nobody offers that');
  const { _id: listingId, title, image_url, resale_price: price } = copy;
  const who = { buyer: '', email: 'buyer@example.com', phone, location: '' };
  const draft = { listingId, title, image_url, price, ...who };
  return { ...copy, id: (await call<{ insertedId: string }>('POST', '/bookings', draft)).insertedId };
};

const payFor = (dollars: number) => buyer.page.getByRole('button', { name: `Pay $${dollars.toFixed(2)}` });

const fillCard = async (page: Page): Promise<void> => {
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel(/Expiration/).fill('1232');
  await page.getByLabel(/CVC/).fill('123');
};

const congratulations = (page: Page) => page.getByRole('heading', { name: 'Congrats! Your payment completed' });

/** What the provider took with the payment that the page tells of, in dollars. */
const taken = async (page: Page): Promise<number> => {
  const transaction = (await page.getByText(/^pi_\w+$/).textContent()) ?? '';
  const authorization = `Basic ${Buffer.from(`${STANDIN_SECRET_KEY}:`).toString('base64')}`;
  const answer = await fetch(`${shop.url}/standins/stripe/v1/payment_intents/${transaction}`, {
    headers: { authorization },
  });
  return ((await answer.json()) as { amount_received: number }).amount_received / 100;
};

const errorBeside = (page: Page, label: string) =>
  page.getByLabel(label).locator('xpath=following-sibling::*[@data-field-error]');

const kept = (page: Page) => page.evaluate(() => localStorage.getItem('shippingAddress'));

test('two books of one seller are paid for on a phone at once and posted in one parcel', async () => {
  const { page } = buyer;
  const all = await copiesThat(shop.url, ({ delivery }) => delivery.pickup && delivery.post);
  const of = (seller: string) => all.filter(({ Seller }) => Seller === seller);
  const pair = all.map(({ Seller }) => of(Seller)).find(({ length }) => length > 1) ?? [];
  const first = await book(pair[0]);
  const second = await book(pair[1]);
  const { delivery, Seller: seller } = first;

  await page.goto(`/dashboard/payment/${first.id}`);
  await payFor(first.resale_price).waitFor();
  expect(await page.getByRole('radio', { name: /^Pickup/ }).isChecked()).toBe(true);
  expect(await page.getByLabel('Address line 1').count()).toBe(0);
  await page.getByRole('radio', { name: /^By post/ }).check();
  await payFor(first.resale_price + delivery.first).waitFor();

  await page.getByLabel(new RegExp(`^${second.title}, `)).check();
  const total = first.resale_price + second.resale_price + delivery.first + delivery.further;
  await payFor(total).waitFor();
  await page.getByText(/^Pay by .*the first of these holds ends then/).waitFor();
  await page.getByText(`You have booked another book of ${seller}.`).waitFor();
  await expectAccessible(page, 'Paying for a parcel');

  await page.getByLabel('ZIP code').fill('9720');
  await fillCard(page);
  await payFor(total).click();
  expect(await errorBeside(page, 'Address line 1').innerText()).toBe('Give street and number, or a P.O. box');
  expect(await errorBeside(page, 'ZIP code').innerText()).toBe('Give the ZIP code: 5 digits, for example 97201');
  await expect
    .poll(() => page.getByLabel('Address line 1').evaluate((field) => field === document.activeElement))
    .toBe(true);
  await expectAccessible(page, 'Paying for a parcel, with mistakes');
  await page.getByLabel('Address line 1').fill('12 Oak Street');
  await page.getByLabel('City').fill('Portland');
  await page.getByLabel('State').fill('oregon');
  await page.getByLabel('ZIP code').fill('97201');
  expect(await errorBeside(page, 'ZIP code').count()).toBe(0);
  await page.getByLabel('Keep this address for next time').check();
  await payFor(total).click();
  await congratulations(page).waitFor();
  await page.getByText(/^These 2 books are yours\. .* posts them within \d working days? to .*12 Oak Street/).waitFor();

  expect(await taken(page)).toBe(total);
  const bookings = await Promise.all(
    [first, second].map(({ id }) => buyer.call<BookingDetail>('GET', `/bookings/${id}`)),
  );
  expect(bookings.map(({ paid }) => paid)).toEqual([true, true]);
  expect(new Set(bookings.map(({ orderId }) => orderId)).size).toBe(1);
});

test('the address is there next time, a total that is another by now is told of, and signing out forgets it', async () => {
  const { page } = buyer;
  const [copy] = await copiesThat(shop.url, ({ delivery }) => delivery.pickup && delivery.post);
  const booked = await book(copy);
  const dearer = 1.25;
  await page.goto(`/dashboard/payment/${booked.id}`);
  await page.getByRole('radio', { name: /^By post/ }).check();
  expect(await page.getByLabel('Address line 1').inputValue()).toBe('12 Oak Street');
  expect(await page.getByLabel('Keep this address for next time').isChecked()).toBe(true);

  const shown = booked.resale_price + booked.delivery.first;
  await page.route(/\/api\/create-payment-intent$/, async (route) => {
    const answer = await route.fetch();
    const said = (await answer.json()) as { postage: number; total: number };
    const json = { ...said, postage: said.postage + dearer, total: said.total + dearer };
    await route.fulfill({ response: answer, json });
  });
  await fillCard(page);
  await payFor(shown).click();
  await page.getByText(/^The total is .* now, .* Nothing was charged\./).waitFor();
  await payFor(shown + dearer).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await payFor(shown + dearer).click();
  await page.getByText(`not $${(shown + dearer).toFixed(2)}. Nothing was charged.`, { exact: false }).waitFor();
  await payFor(shown).click();
  await congratulations(page).waitFor();
  expect(await taken(page)).toBe(shown);

  expect(await kept(page)).toContain('12 Oak Street');
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect.poll(() => kept(page)).toBeNull();
});

test('a book that is only posted says so, and one that is only picked up, too', async () => {
  const desk = await aMember(browser, shop.url, 'Buyer');
  const [posted] = await copiesThat(shop.url, ({ delivery }) => !delivery.pickup);
  const [here] = await copiesThat(shop.url, ({ delivery }) => !delivery.post);
  const { page } = desk;
  const byPost = await book(posted, desk);
  await page.goto(`/dashboard/payment/${byPost.id}`);
  await page
    .getByText(`Posted within ${byPost.delivery.daysToPost} working days, $${byPost.delivery.first.toFixed(2)}`)
    .waitFor();
  expect(await page.getByRole('radio').count()).toBe(0);
  await page.getByLabel('Address line 1').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Pay \$/ }).isEnabled()).toBe(true);
  await expectAccessible(page, 'Paying for what is posted');

  const picked = await book(here, desk);
  await page.goto(`/dashboard/payment/${picked.id}`);
  await page.getByText(`Pickup in ${picked.delivery.pickupPlace}`).waitFor();
  expect(await page.getByRole('radio').count()).toBe(0);
  expect(await page.getByLabel('Address line 1').count()).toBe(0);
  await desk.leave();
});

test('a wallet pays where the provider offers one, for what is on show and once all is filled in', async () => {
  // Whoever bought before has signed out.
  const again = await aMember(browser, shop.url, 'Buyer', { width: 390 });
  const { page } = again;
  const [copy] = await copiesThat(shop.url, ({ delivery }) => delivery.pickup && delivery.post);
  const { id, resale_price: price, delivery } = await book(copy, again);
  const total = price + delivery.first;
  await page.goto(`/dashboard/payment/${id}`);
  const payButton = (dollars: number) => page.getByRole('button', { name: `Pay $${dollars.toFixed(2)}` });
  const wallet = page.getByRole('button', { name: 'Buy with the test wallet' });
  const dialog = page.getByRole('dialog', { name: 'Test wallet' });
  await wallet.waitFor();
  await payButton(price).waitFor();
  await page.getByRole('radio', { name: /^By post/ }).check();
  await payButton(total).waitFor();
  // What the wallet cannot know is missing.
  await page.getByLabel('Address line 1').fill('');
  await wallet.click();
  await errorBeside(page, 'Address line 1').waitFor();
  expect(await dialog.count()).toBe(0);
  await page.getByLabel('Name', { exact: true }).fill('Bea Buyer');
  await page.getByLabel('Address line 1').fill('1 Page Street');
  await page.getByLabel('City').fill('Portland');
  await page.getByLabel('State').fill('OR');
  await page.getByLabel('ZIP code').fill('97201');
  await wallet.click();
  await dialog.getByText(`Payment of $${total.toFixed(2)}`).waitFor();
  await expectAccessible(page, 'The payment page with a wallet');
  // Who thinks better of it goes on where they were.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await congratulations(page).count()).toBe(0);
  await wallet.click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await congratulations(page).waitFor();
  expect(await taken(page)).toBe(total);
});

test('a wallet is asked once a pickup’s buyer can be reached, and told when no payment follows what it confirmed', async () => {
  const [again, seller] = await Promise.all([
    aMember(browser, shop.url, 'Buyer', { width: 390 }),
    aMember(browser, shop.url, 'Seller'),
  ]);
  const { page } = again;
  const mine = await seller.call<{ _id: string }[]>('GET', '/categories/my_products?email=seller@example.com');
  const ids = new Set(mine.map(({ _id }) => _id));
  const [copy] = await copiesThat(
    shop.url,
    ({ _id, delivery }) => ids.has(_id) && delivery.pickup && delivery.post && delivery.first > 0,
  );
  const { id, resale_price: price, delivery } = await book(copy, again, '');
  const wallet = page.getByRole('button', { name: 'Buy with the test wallet' });
  const dialog = page.getByRole('dialog', { name: 'Test wallet' });
  const failed = page.getByText('Test wallet: the payment was not completed.');
  await page.goto(`/dashboard/payment/${id}`);
  await wallet.waitFor();
  await page.getByRole('radio', { name: /^Pickup/ }).check();
  await wallet.click();
  await errorBeside(page, 'Phone').waitFor();
  await expect.poll(() => page.getByLabel('Phone').evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await dialog.count()).toBe(0);
  await page.getByLabel('Phone').fill('+1 503 555 0142');

  // The seller changes the postage while the page is open: nobody pays that unasked.
  const { said: _, ...terms } = await seller.call<Record<string, unknown>>('GET', '/sellers/delivery');
  await page.getByRole('radio', { name: /^By post/ }).check();
  const address = {
    Name: 'Bea Buyer',
    'Address line 1': '1 Page Street',
    City: 'Portland',
    State: 'OR',
    'ZIP code': '97201',
  };
  for (const [label, value] of Object.entries(address)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: `Pay $${(price + delivery.first).toFixed(2)}` }).waitFor();
  await seller.call('PUT', '/sellers/delivery', { ...terms, first: delivery.first + 1 });
  await wallet.click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(/^The total is .* Nothing was charged\./).waitFor();
  await failed.waitFor();
  expect(await congratulations(page).count()).toBe(0);
  await page.getByRole('radio', { name: /^Pickup/ }).check();
  await wallet.click();
  expect(await failed.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await congratulations(page).waitFor();
  expect(await taken(page)).toBe(price);
  expect((await again.call<BookingDetail>('GET', `/bookings/${id}`)).phone).toBe('+1 503 555 0142');
  await Promise.all([again.leave(), seller.leave()]);
});
