// What becomes of a book that is paid for, from both sides of the order page.
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { alert, at, busy, holds, pageOf, press as pressButton, walk } from './failing.ts';
import { openJourney, PHONE_PX } from './journey.ts';
import { LOOKS } from './looks.ts';
import { shoot } from './pictures.ts';
import type { RunningShop } from './shop.ts';
import { aMember, fillSignIn, type Member } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

/** What a finger hits. */
const FINGER_PX = 44;
/** Its owner's bank looks into every payment. */
const DISPUTED_CARD = '4000000000000259';
const ADDRESS = {
  name: 'Grace Hopper',
  line1: '12 Harbor Street',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postcode: '97201',
  country: 'US',
};

let shop: RunningShop;
let browser: Browser;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let seller: Member;

beforeAll(async () => {
  ({ shop, browser, db, buyer, seller, close } = await openJourney());
});
afterAll(() => close());

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 });
const hasHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const step = (page: Page) => page.getByRole('region', { name: /^What (to do|happens) now$/ });
const timeline = (page: Page) => page.getByRole('region', { name: 'What happened' });
const press = (page: Page, name: string) => step(page).getByRole('button', { name, exact: true }).click();

interface Bought {
  readonly title: string;
  readonly path: string;
}

const used: string[] = ['00000000-0000-4000-8000-000000000000'];

/** The buyer books a copy of the demo seller and pays for it; the page of thanks leads to the order. */
const buy = async (card = '4242424242424242'): Promise<Bought> => {
  const copy = await db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select(['l.id', 'l.title', 'l.image_url', 'l.resale_cents'])
    .where('u.email', '=', 'seller@example.com')
    .where('l.status', '=', 'available')
    .where('l.id', 'not in', used)
    .orderBy('l.id')
    .executeTakeFirstOrThrow();
  used.push(copy.id);
  const person = await db
    .selectFrom('users')
    .select('name')
    .where('email', '=', 'buyer@example.com')
    .executeTakeFirstOrThrow();
  const { insertedId } = await buyer.call<{ insertedId: string }>('POST', '/bookings', {
    listingId: copy.id,
    title: copy.title,
    image_url: copy.image_url,
    price: copy.resale_cents / 100,
    buyer: person.name,
    email: 'buyer@example.com',
    phone: '+1 555 0142',
    location: 'Portland',
  });
  const { page } = buyer;
  await page.goto(`/dashboard/payment/${insertedId}`);
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel(/Expiration/).fill('1232');
  await page.getByLabel(/CVC/).fill('123');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByText('Congrats! Your payment completed').waitFor();
  await page.getByRole('link', { name: 'See your order' }).click();
  await page.waitForURL('**/dashboard/orders/*');
  return { title: copy.title, path: new URL(page.url()).pathname };
};

/** As a seller's shop with post has it. */
const asParcel = (orderPath: string) =>
  db
    .updateTable('orders')
    .set({ delivery: 'post', address: JSON.stringify(ADDRESS) as never })
    .where('id', '=', path.basename(orderPath))
    .execute();

const advance = async (days: number): Promise<void> => {
  await fetch(`${shop.url}/standins/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceHours: Math.ceil(days * 24) }),
  });
};

/** Reads the page again until the shop's own work has led to a state. */
const becomes = async (page: Page, heading: string): Promise<void> => {
  await expect
    .poll(async () => {
      await page.reload();
      await headingOf(page).waitFor();
      return headingOf(page).textContent();
    })
    .toBe(heading);
};

test('a book that is picked up is handed over by the buyer’s code, and closed three days later', async () => {
  const { title, path: order } = await buy();
  await hasHeading(buyer.page, 'Paid, waiting for times to pick it up');
  await shoot(buyer.page, 'paid-buyer');
  await seller.page.goto('/dashboard/my_buyers');
  await seller.page
    .getByRole('row')
    .filter({ hasText: title })
    .getByText(/^Offer times by \w{3}, \w{3} \d+,/)
    .waitFor();
  await seller.page.getByRole('link', { name: title }).click();
  await hasHeading(seller.page, 'Paid: please offer times');
  await step(seller.page)
    .getByText(/by \w{3}, \w{3} \d+, \d{4}, \d+:\d\d [AP]M \S+\. Else we cancel the order/)
    .waitFor();
  await seller.page.getByRole('link', { name: '+1 555 0142' }).waitFor();
  // Whom to reach is above what was bought and written.
  const tops = await Promise.all(
    ['What to do now', 'The buyer', 'The book', 'Notes', 'What happened'].map(async (name) => {
      const box = await seller.page.getByRole('region', { name, exact: true }).boundingBox();
      return box?.y ?? Number.NaN;
    }),
  );
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await shoot(seller.page, 'paid-seller-pickup');

  // Both write to each other on the page; the mail is a link.
  const notes = (page: Page) => page.getByRole('list', { name: 'Notes, the oldest first' }).getByRole('listitem');
  await seller.page.getByLabel('Your note').fill('I am there on Saturday.');
  await seller.page.getByRole('button', { name: 'Send note' }).click();
  await notes(seller.page).filter({ hasText: 'You' }).getByText('I am there on Saturday.').waitFor();
  expect(await seller.page.getByLabel('Your note').inputValue()).toBe('');
  await buyer.page.reload();
  await buyer.page.getByLabel('Your note').fill('So am I,\nat ten.');
  await buyer.page.getByRole('button', { name: 'Send note' }).click();
  await notes(buyer.page).nth(1).getByText('So am I,').waitFor();
  expect(await notes(buyer.page).allInnerTexts()).toEqual([
    expect.stringMatching(/I am there on Saturday\.\n\nReport$/),
    expect.stringMatching(/^You[^]*So am I,\nat ten\.$/),
  ]);
  await shoot(buyer.page, 'notes-buyer');

  // What is missing is said beside its field; the place is known.
  await press(seller.page, 'Offer these times');
  await seller.page.getByText('Offer a time', { exact: true }).waitFor();
  await seller.page.getByLabel('First time').fill('Saturday, 10 to 12');
  await seller.page.getByLabel('Second time').fill('Monday, after 5 PM');
  await seller.page.getByLabel('Where').fill('The café in Paper Lane');
  await press(seller.page, 'Offer these times');
  await hasHeading(seller.page, 'Ready to be picked up');
  await seller.page.locator('h1:focus').waitFor();

  await buyer.page.reload();
  await hasHeading(buyer.page, 'Ready for you to pick up');
  await buyer.page.getByText('Saturday, 10 to 12 or Monday, after 5 PM').waitFor();
  await buyer.page.getByRole('img', { name: /for the seller’s camera/ }).waitFor();
  const code = ((await buyer.page.getByText(/^\d{3} \d{3}$/).textContent()) ?? '').replace(' ', '');
  expect(code).toMatch(/^\d{6}$/);
  expect(
    (await step(buyer.page).getByRole('button', { name: 'I have it' }).boundingBox())?.height,
  ).toBeGreaterThanOrEqual(FINGER_PX);
  await expectAccessible(buyer.page, 'the code');
  await shoot(buyer.page, 'ready-buyer');

  const field = seller.page.getByLabel('Code');
  expect(await field.getAttribute('inputmode')).toBe('numeric');
  await field.fill(code === '000000' ? '111111' : '000000');
  await press(seller.page, 'Hand over');
  await seller.page.getByText(/This is not the code of this order\. 4 tries are left/).waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await shoot(seller.page, 'ready-seller');
  // The seller's camera opens the code's link, also where they are not signed in: then it is one press.
  const camera = await aVisitor(browser, shop.url, { width: PHONE_PX });
  await camera.page.goto(`${order}#code=${code}`);
  await fillSignIn(camera.page, 'Seller');
  await hasHeading(camera.page, 'Ready to be picked up');
  expect(await camera.page.getByLabel('Code').inputValue()).toBe(code);
  await press(camera.page, 'Hand over');
  await hasHeading(camera.page, 'Received');
  await camera.leave();
  await seller.page.reload();
  await hasHeading(seller.page, 'Received');
  await shoot(seller.page, 'received-seller');
  // The buyer's page looks by itself.
  await hasHeading(buyer.page, 'Received');
  await step(buyer.page)
    .getByText(/If something is wrong, say so by/)
    .waitFor();

  await advance(3.1);
  await becomes(buyer.page, 'Completed');
  await timeline(buyer.page).getByText('The order was closed').waitFor();
  await shoot(buyer.page, 'closed-buyer');
});

test('a parcel is posted with its number and received', async () => {
  const { title, path: order } = await buy();
  await asParcel(order);
  await seller.page.goto(order);
  await hasHeading(seller.page, 'Paid: please post it');
  await seller.page.getByText('Portland, OR 97201').first().waitFor();
  await press(seller.page, 'I have posted it');
  await seller.page.getByText('Choose who carries it').waitFor();
  await seller.page.getByLabel('I have no tracking number').check();
  await seller.page.getByText(/Without a number nobody can see where it is/).waitFor();
  await shoot(seller.page, 'paid-seller-post');
  await seller.page.getByLabel('I have no tracking number').uncheck();
  await seller.page.getByLabel('Carrier').selectOption('USPS');
  await seller.page.getByLabel('Tracking number', { exact: true }).fill('9400 1000 0000');
  // On paper there is the slip and nothing else.
  await seller.page.emulateMedia({ media: 'print' });
  const slip = seller.page.getByRole('article', { name: 'Packing slip' });
  await slip.getByText(title).waitFor();
  await slip.getByText(path.basename(order)).waitFor();
  expect(await headingOf(seller.page).isVisible()).toBe(false);
  await shoot(seller.page, 'slip');
  await seller.page.emulateMedia({ media: 'screen' });
  expect(await slip.isVisible()).toBe(false);

  // The network is gone for a moment: what was typed stays.
  await seller.context.setOffline(true);
  await press(seller.page, 'I have posted it');
  await step(seller.page).getByRole('alert').waitFor();
  expect(await seller.page.getByLabel('Tracking number', { exact: true }).inputValue()).toBe('9400 1000 0000');
  await seller.context.setOffline(false);
  await press(seller.page, 'I have posted it');
  await hasHeading(seller.page, 'Posted, on its way');

  // The buyer's page is older than that: cancelling is refused, and the page says what is true.
  await press(buyer.page, 'Cancel the order');
  const dialog = buyer.page.getByRole('dialog', { name: 'Cancel the order' });
  await shoot(buyer.page, 'cancel-dialog');
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
  await buyer.page
    .getByRole('alert')
    .getByText(/it is posted/)
    .waitFor();
  await hasHeading(buyer.page, 'On its way to you');
  await buyer.page.locator('h1:focus').waitFor();
  const follow = buyer.page.getByRole('link', { name: /^Follow the parcel/ });
  expect(await follow.getAttribute('href')).toContain('940010000000');
  await shoot(buyer.page, 'posted-buyer');
  await buyer.page.reload();
  await press(buyer.page, 'I have it');
  await hasHeading(buyer.page, 'Received');
  await shoot(buyer.page, 'received-buyer');

  // Part of the price goes back by agreement.
  await press(buyer.page, 'Report a problem');
  const report = buyer.page.getByRole('dialog', { name: 'Report a problem' });
  await report.getByRole('button', { name: 'Report a problem' }).click();
  await report.getByText('Say what is wrong').waitFor();
  await report.getByLabel('It came damaged').check();
  await report.getByLabel('In your words').fill('The last page is torn.');
  await expectAccessible(buyer.page, 'reporting a problem');
  await shoot(buyer.page, 'report-dialog');
  await report.getByRole('button', { name: 'Report a problem' }).click();
  await hasHeading(buyer.page, 'There is a problem');
  await seller.page.reload();
  await shoot(seller.page, 'problem-seller');
  await press(seller.page, 'Offer a part back');
  const offer = seller.page.getByRole('dialog', { name: 'Offer a part back' });
  await offer.getByLabel('Amount in dollars').fill('1.50');
  await offer.getByRole('button', { name: 'Offer a part back' }).click();
  await hasHeading(seller.page, 'Part of the price is offered back');
  await buyer.page.reload();
  await hasHeading(buyer.page, 'You have an offer');
  await shoot(buyer.page, 'offer-buyer');
  await press(buyer.page, 'Accept $1.50');
  await hasHeading(buyer.page, 'Partly refunded');
  await buyer.page.getByText(/\$1\.50 (on its way|went) back/).waitFor();
  await shoot(buyer.page, 'part-refunded-buyer');
});

test('a note that is slow, lost, refused or broken is told, keeps what was typed and can be sent again', async () => {
  const { path: order } = await buy();
  // In a window of its own: what does not load there is this test's doing.
  const { page, context, problems } = await aMember(browser, shop.url, 'Buyer', { width: PHONE_PX });
  await walk(page, {
    ...pageOf('GET /orders/{id}/notes', /\/api\/orders\/[0-9a-f-]{36}\/notes/, '/dashboard/my_orders', '', /./),
    act: (on) => on.getByRole('table').locator(`a[href="${order}"]`).click(),
    done: (on) => on.getByRole('heading', { level: 2, name: 'Notes' }),
  });
  await walk(page, {
    call: 'POST /orders/{id}/notes',
    path: /\/api\/orders\/[0-9a-f-]{36}\/notes$/,
    begin: async (on) => {
      await at(order)(on);
      await on.getByLabel('Your note').fill('Is it packed well?');
    },
    act: pressButton(/^Send(ing)? note/),
    working: busy,
    told: alert,
    typed: holds('Your note', 'Is it packed well?'),
    done: (on) => on.getByRole('listitem').filter({ hasText: 'Is it packed well?' }),
  });
  await context.close();
  expect(problems.filter((one) => !/Failed to load resource/.test(one))).toEqual([]);
});

test('a seller who cannot sell says why, knowing what it costs; nobody else finds the order', async () => {
  const { path: order } = await buy();
  await seller.page.goto(order);
  await press(seller.page, 'I cannot sell it');
  const dialog = seller.page.getByRole('dialog', { name: 'I cannot sell it' });
  await dialog.getByText(/You bear the payment fee/).waitFor();
  await dialog.getByRole('button', { name: 'I cannot sell it' }).click();
  await dialog.getByText('Tell the buyer why').waitFor();
  await dialog.getByLabel('Why').fill('The cat ate it');
  await dialog.getByRole('button', { name: 'I cannot sell it' }).click();
  await hasHeading(seller.page, 'Cancelled by you');
  await buyer.page.reload();
  await hasHeading(buyer.page, 'Cancelled by the seller');
  await timeline(buyer.page).getByText('“The cat ate it”').waitFor();
  await shoot(buyer.page, 'refused-buyer');

  const stranger = await aMember(browser, shop.url, 'Admin');
  await stranger.page.goto(order);
  await hasHeading(stranger.page, 'Cancelled by the seller');
  await shoot(stranger.page, 'refused-admin');
  await stranger.leave();
  const visitor = await aVisitor(browser, shop.url);
  await visitor.page.goto(order);
  await visitor.page.waitForURL('**/login**');
  await visitor.leave();
});

test('the bank stops an order: the seller is told not to post it', async () => {
  const { path: order } = await buy(DISPUTED_CARD);
  await asParcel(order);
  await seller.page.goto(order);
  await becomes(seller.page, 'Stopped by the bank');
  await step(seller.page)
    .getByText(/Please do not post it\./)
    .waitFor();
  expect(await step(seller.page).getByRole('button').count()).toBe(0);
  await shoot(seller.page, 'frozen-seller');
  expect(await seller.page.getByRole('button', { name: 'Print packing slip' }).count()).toBe(0);
  await buyer.leave();
  // The network was away for a moment, above.
  await seller.context.close();
  expect(seller.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

test.each(LOOKS)(
  'the page of an order has no accessibility violations in the $theme theme at $width px',
  async (look) => {
    const [{ page, leave }, order] = await Promise.all([
      aMember(browser, shop.url, 'Seller', look),
      db.selectFrom('orders').select('id').where('frozen_by', 'is not', null).executeTakeFirstOrThrow(),
    ]);
    await page.goto(`/dashboard/orders/${order.id}`);
    await hasHeading(page, 'Stopped by the bank');
    await expectAccessible(page, `an order, ${look.theme}, ${look.width} px`);
    await leave();
  },
);
