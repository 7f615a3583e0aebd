// What a buyer sees and is told, as the specification words it.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { launchBrowser } from './browser.ts';
import { copiesThat } from './copies.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';

let shop: RunningShop;
let browser: Browser;
let buyer: Member;
let bookingId: string;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  buyer = await aMember(browser, shop.url, 'Buyer');
  const [copy] = await copiesThat(shop.url, ({ delivery }) => delivery.pickup);
  if (copy === undefined) throw new Error('nothing on the shelf');
  const { _id: listingId, title, image_url, resale_price: price } = copy;
  const draft = {
    listingId,
    title,
    image_url,
    price,
    buyer: '',
    email: 'buyer@example.com',
    phone: '+1 555 0142',
    location: '',
  };
  bookingId = (await buyer.call<{ insertedId: string }>('POST', '/bookings', draft)).insertedId;
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const said = (page: Page, notice: string) => page.getByText(notice, { exact: true });

const toPayment = async (): Promise<void> => {
  await buyer.page.goto(`/dashboard/payment/${bookingId}`);
};
const payButton = () => buyer.page.getByRole('button', { name: /^Pay/ });

const fillCard = async (number: string): Promise<void> => {
  await buyer.page.getByLabel('Card number').fill(number);
  await buyer.page.getByLabel(/Expiration/).fill('1232');
  await buyer.page.getByLabel(/CVC/).fill('123');
};

test('is told that a booking succeeded, and needs neither phone nor location', async () => {
  const { page } = buyer;
  await page.goto('/');
  await page
    .getByRole('button', { name: /^Book Now/, disabled: false })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Book for/ }).click();
  await said(page, 'Booking successful').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  const booked = await buyer.call<object[]>('GET', '/bookings?email=buyer@example.com');
  expect(booked).toHaveLength(2);
});

test.each([
  ['three columns of all books', '/categories', 3],
  ['two columns of the books of a category', '/category/fantasy', 2],
])('sees %s', async (_what, path, columns) => {
  const { page } = buyer;
  await page.goto(path);
  const grid = page
    .getByRole('main')
    .getByRole('list')
    .filter({ has: page.getByRole('article') });
  await grid.waitFor();
  const widths = await grid.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length);
  expect(widths).toBe(columns);
});

test('finds Pay beside what is not paid', async () => {
  const { page } = buyer;
  await page.goto('/dashboard/my_orders');
  await page.getByRole('row').getByRole('link', { name: /^Pay/ }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Paid' }).count()).toBe(0);
});

test('cannot press Pay before the shop has given the client secret', async () => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await buyer.context.route('**/api/create-payment-intent', async (route) => {
    await held;
    await route.continue();
  });
  await toPayment();
  await buyer.page.getByLabel('Card number').waitFor();
  expect(await payButton().isDisabled()).toBe(true);
  answer();
  await expect.poll(() => payButton().isEnabled()).toBe(true);
  await buyer.context.unrouteAll({ behavior: 'wait' });
});

test('cannot press Pay before the payment client is there', async () => {
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await buyer.context.route('**/stripe.js', async (route) => {
    await held;
    await route.continue();
  });
  const secret = buyer.page.waitForResponse('**/api/create-payment-intent');
  await toPayment();
  await secret;
  expect(await payButton().isDisabled()).toBe(true);
  answer();
  await expect.poll(() => payButton().isEnabled()).toBe(true);
  await buyer.context.unrouteAll({ behavior: 'wait' });
});

test.each([
  ['is not loaded', 'Failed to load Stripe.js', undefined],
  ['does not bring what it should', 'Stripe.js not available', ''],
])('whose payment script %s leaves a warning on the console', async (_what, warning, script) => {
  const { page, context } = await aMember(browser, shop.url, 'Buyer');
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await context.route('**/stripe.js', (route) =>
    script === undefined ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: script }),
  );
  await page.goto(`/dashboard/payment/${bookingId}`);
  await page.getByText('The payment form could not be loaded').waitFor();
  expect(warnings).toContain(warning);
  await context.close();
});

test.each([
  ['a card-method error', '4242424242424241', /card number is invalid/i],
  ['a confirm error', '4000000000000002', /Your card was declined/],
])('sees %s in red under the form, and nothing is paid', async (_what, number, message) => {
  const { page } = buyer;
  await toPayment();
  await fillCard(number);
  await payButton().click();
  const shown = page.getByRole('form', { name: 'Payment' }).getByRole('alert').filter({ hasText: message });
  await shown.waitFor();
  const [top, bottom] = [(await shown.boundingBox())?.y ?? 0, (await payButton().boundingBox())?.y ?? 0];
  expect(top).toBeGreaterThan(bottom);
  const red = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--color-error'));
  const colour = await shown.evaluate((element, wanted) => {
    const probe = element.parentElement?.appendChild(document.createElement('i'));
    probe?.style.setProperty('color', wanted);
    const same = probe !== undefined && getComputedStyle(probe).color === getComputedStyle(element).color;
    probe?.remove();
    return same;
  }, red);
  expect(colour).toBe(true);
  const { paid } = await buyer.call<{ paid: boolean }>('GET', `/bookings/${bookingId}`);
  expect(paid).toBe(false);
});

test('cannot press Pay twice, pays in their own name, and sees Congrats, the transaction and Paid', async () => {
  const { page, context } = buyer;
  await toPayment();
  await fillCard('4242424242424242');
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await context.route('**/v1/payment_intents/*/confirm', async (route) => {
    await held;
    await route.continue();
  });
  await payButton().click();
  await page.getByRole('button', { name: 'Paying…', disabled: true }).waitFor();
  answer();
  await page.getByRole('heading', { name: 'Congrats! Your payment completed' }).waitFor();
  const transaction = (await page.getByText(/^pi_\w+$/).textContent()) ?? '';

  const authorization = `Basic ${Buffer.from(`${STANDIN_SECRET_KEY}:`).toString('base64')}`;
  const intent = await fetch(`${shop.url}/standins/stripe/v1/payment_intents/${transaction}?expand[]=latest_charge`, {
    headers: { authorization },
  });
  const { latest_charge: charge } = (await intent.json()) as {
    latest_charge: { paid: boolean; billing_details: { name: string; email: string } };
  };
  expect(charge.paid).toBe(true);
  expect(charge.billing_details).toMatchObject({ name: expect.stringMatching(/\w/), email: 'buyer@example.com' });

  await page.goto('/dashboard/my_orders');
  expect(await page.getByRole('button', { name: 'Paid' }).isDisabled()).toBe(true);
  await context.unrouteAll({ behavior: 'wait' });
});
