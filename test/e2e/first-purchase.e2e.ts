// A stranger's first purchase: home, account, booking, payment. The account is made in the dialog of the very copy.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountDialog, anAddress, NEW_PASSWORD } from './account-dialog.ts';
import { copiesThat } from './copies.ts';
import { launchBrowser } from './browser.ts';
import { alive } from './failing.ts';
import { hasFocus, press, type } from './keyboard.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aVisitor } from './visitor.ts';

const PHONE = { width: 390, height: 844 };
const CARD = { number: '4242424242424242', expiry: '1232', cvc: '123' };
/** What a finger hits. */
const FINGER_PX = 44;
/** How many screens it may take, and how many fields beside the card. */
const MOST = { screens: 4, fields: { pickup: 5, post: 11 } };

let shop: RunningShop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A purchase as it is walked, in one way or another, and what it took. */
interface Steps {
  readonly go: (target: Locator) => Promise<void>;
  readonly write: (field: Locator, text: string) => Promise<void>;
  readonly way: 'pickup' | 'post';
}

/** Where a stranger has their book sent. */
const PARCEL = [
  ['Address line 1', '12 Oak Street'],
  ['City', 'Portland'],
  ['State', 'OR'],
  ['ZIP code', '97201'],
] as const;

const walkPurchase = async (page: Page, { go, write, way }: Steps): Promise<string> => {
  const screens: string[] = [];
  const fields: string[] = [];
  const reach = async (name: string, sign: Locator): Promise<void> => {
    await sign.waitFor();
    screens.push(name);
  };
  const fill = async (label: string, field: Locator, text: string): Promise<void> => {
    fields.push(label);
    await write(field, text);
  };
  await page.goto('/');
  await alive(page);
  await reach('home', page.getByRole('heading', { level: 1 }));
  const [copy] = await copiesThat(shop.url, (each) => each.delivery[way]);
  if (copy === undefined) throw new Error('nobody offers that');
  const { title } = copy;
  await go(page.getByRole('button', { name: `Book Now ${title}` }).first());

  const account = accountDialog(page);
  await reach('account', account.getByRole('button', { name: 'Create Account' }));
  await account.getByText(title, { exact: true }).first().waitFor();
  await fill('Email', account.getByLabel('Email'), anAddress());
  await fill('Name', account.getByLabel('Name'), 'Mary Shelley');
  await fill('Password', account.getByLabel('Password', { exact: true }), NEW_PASSWORD);
  await go(account.getByRole('button', { name: 'Create Account' }));
  await page.getByText('Registered successfully!').waitFor();

  const booking = page.getByRole('dialog', { name: `Book ${title}` });
  await reach('booking', booking.getByLabel('Phone'));
  await expect.poll(() => hasFocus(booking.getByLabel('Phone'))).toBe(true);
  await fill('Phone', booking.getByLabel('Phone'), '+1 555 0142');
  await go(booking.getByRole('button', { name: /^Book for/ }));
  await page.getByText('Booking successful').waitFor();
  // The next step is the one with the focus.
  const pay = page.getByRole('main').getByRole('link', { name: `Pay now for ${title}` });
  await expect.poll(() => hasFocus(pay)).toBe(true);
  const notice = page.getByRole('status').filter({ hasText: 'Booking successful' });
  const payFromNotice = notice.getByRole('link', { name: 'Pay now' });
  expect(await payFromNotice.getAttribute('href')).toBe(await pay.getAttribute('href'));
  expect((await payFromNotice.boundingBox())?.height).toBeGreaterThanOrEqual(FINGER_PX);
  await go(pay);

  await reach('payment', page.getByRole('button', { name: /^Pay \$/, disabled: false }));
  await page.getByRole('heading', { level: 2, name: title }).waitFor();
  // Nothing else is asked of somebody who is about to pay.
  expect(await page.getByRole('region', { name: 'Your address' }).count()).toBe(0);
  if (way === 'post') {
    const byPost = page.getByRole('radio', { name: /^By post/ });
    if ((await byPost.count()) > 0) await byPost.check();
    // What the shop knows already need not be typed, and counts all the same.
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mary Shelley');
    fields.push('Name', 'Address line 2', 'Country');
    for (const [label, text] of PARCEL) await fill(label, page.getByLabel(label), text);
    const { first, freeFrom } = copy.delivery;
    const postage = freeFrom !== null && copy.resale_price >= freeFrom ? 0 : first;
    await page.getByRole('button', { name: `Pay $${(copy.resale_price + postage).toFixed(2)}` }).waitFor();
  }
  await write(page.getByLabel('Card number'), CARD.number);
  await write(page.getByLabel(/Expiration/), CARD.expiry);
  await write(page.getByLabel(/CVC/), CARD.cvc);
  await go(page.getByRole('button', { name: /^Pay \$/ }));
  await page.getByText('Congrats! Your payment completed').waitFor();

  expect(screens).toEqual(['home', 'account', 'booking', 'payment']);
  expect(screens.length).toBeLessThanOrEqual(MOST.screens);
  expect(fields.length).toBeLessThanOrEqual(MOST.fields[way]);
  expect(fields.filter((name) => name === 'Password')).toHaveLength(1);
  return `${screens.length} screens (${screens.join(', ')}), ${fields.length} fields (${fields.join(', ')}) and the card, the password typed once`;
};

test('on a phone a stranger goes from home to paid in four screens, the password typed once', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE.width });
  await page.setViewportSize(PHONE);
  const took = await walkPurchase(page, {
    go: (target) => target.click(),
    write: (field, text) => field.fill(text),
    way: 'pickup',
  });
  process.stdout.write(`A first purchase on a phone: ${took}\n`);
  await leave();
});

test('and so by keyboard alone', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE.width });
  await page.setViewportSize(PHONE);
  const took = await walkPurchase(page, {
    go: (target) => press(page, target),
    write: (field, text) => type(page, field, text),
    way: 'pickup',
  });
  process.stdout.write(`A first purchase by keyboard: ${took}\n`);
  await leave();
});

test('and has it posted', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE.width });
  await page.setViewportSize(PHONE);
  const took = await walkPurchase(page, {
    go: (target) => target.click(),
    write: (field, text) => field.fill(text),
    way: 'post',
  });
  process.stdout.write(`A first purchase by post: ${took}\n`);
  await leave();
});
