// On a phone: an empty search becomes a want, a seller lists the book, and whoever waited has it first.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { connect } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { payByPost } from './by-post.ts';
import { launchBrowser } from './browser.ts';
import { PHONE_PX } from './journey.ts';
import { LOOKS } from './looks.ts';
import { openMail } from './mailbox.ts';
import { openRow } from './rows.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, memberWith, type Member } from './sign-in.ts';
import { aVisitor } from './visitor.ts';

let shop: RunningShop;
let browser: Browser;
let seller: Member;

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), launchBrowser()]);
  seller = await aMember(browser, shop.url, 'Seller');
});
afterAll(async () => {
  await seller.leave();
  await browser.close();
  await shop.close();
});

const list = async (title: string, price = '9.00'): Promise<string> => {
  const draft = {
    title,
    authors: 'Jean Rhys',
    category_id: 'classics',
    original_price: '20',
    resale_price: price,
    years_of_use: '1',
    location: 'Portland, OR',
    phone: '+1 503 555 0100',
    details: 'Read once.',
    condition: 'Good',
    image_url: 'https://images.example/none.jpg',
    Seller: 'Marlow Books',
    email: 'seller@example.com',
  };
  return (await seller.call<{ insertedId: string }>('POST', '/categories', draft)).insertedId;
};

/** Somebody new with a phone. */
const aReader = async (name: string): Promise<Member> => {
  const credentials = { email: `${name.toLowerCase().replace(' ', '.')}@example.com`, password: 'Sargasso#1966' };
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  await registerUser(db, { name, ...credentials, roles: ['buyer'], emailProven: true }).finally(close);
  return memberWith(browser, shop.url, credentials, { width: PHONE_PX });
};

const offerIn = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ hasText: title }).getByText('Reserved for you until');

/** The page asks anew when somebody comes back to it. */
const untilOffered = (page: Page, title: string): Promise<void> =>
  expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      return offerIn(page, title).count();
    })
    .toBe(1)
    .then(() => undefined);

test.each(LOOKS)('an empty search becomes a want, an offer and a booking ($theme, $width px)', async (look) => {
  const title = `Wide Sargasso ${look.theme} ${look.width}`;
  const { page, leave } = await aMember(browser, shop.url, 'Buyer', look);
  await page.goto(`/search?q=${encodeURIComponent(title)}`);
  await page.getByRole('link', { name: 'Tell me when there is one' }).click();
  const form = page.getByRole('dialog', { name: 'Tell me when there is one' });
  expect(await form.getByLabel('Title').inputValue()).toBe(title);
  await form.getByLabel('At most').fill('abc');
  await form.getByRole('button', { name: 'Tell me' }).click();
  await form.getByText('Give a price from $0.50 to $99,999.99, or none').waitFor();
  await expectAccessible(page, 'A want');
  await form.getByLabel('At most').fill('10');
  await form.getByRole('button', { name: 'Tell me' }).click();
  await page.getByRole('heading', { name: title, level: 2 }).waitFor();
  await page.getByText('up to $10.00').first().waitFor();

  await list(title, '12.00');
  const id = await list(title);
  await untilOffered(page, title);
  await expectAccessible(page, 'Wanted Books, offered');
  // To everybody else it was never there but reserved.
  const stranger = await aVisitor(browser, shop.url, look);
  await stranger.page.goto(`/book/${id}`);
  await stranger.page.getByText('Another reader asked for this book before it came').first().waitFor();
  await stranger.leave();

  await openMail(page, `We found it: ${title}`);
  await page.getByText('Price:').or(page.getByText('$9.00')).first().waitFor();
  await page.goto('/dashboard/wants');
  await page.getByRole('button', { name: `Take it ${title}` }).click();
  await page.getByRole('button', { name: /^Pay/ }).waitFor();
  await payByPost(page);
  await page.goto('/dashboard/wants');
  await page.getByRole('listitem').filter({ hasText: title }).getByText('You bought one').waitFor();
  await leave();
});

test('a copy that is passed on goes on the shelf; a want is changed, paused and ended', async () => {
  const title = 'Good Morning, Midnight';
  const { page, call, leave } = await aMember(browser, shop.url, 'Buyer', { width: PHONE_PX });
  await page.goto('/dashboard/wants?new=1');
  const form = page.getByRole('dialog', { name: 'Tell me when there is one' });
  await form.getByRole('button', { name: 'Tell me' }).click();
  await form.getByText('Say which book: its title, or its ISBN').waitFor();
  await form.getByLabel('Title').fill(title);
  await form.getByRole('button', { name: 'Tell me' }).click();
  const row = page.getByRole('listitem').filter({ hasText: title });
  await row.waitFor();
  const id = await list(title);
  await untilOffered(page, title);
  await row.getByRole('button', { name: `Not this one ${title}` }).click();
  await page.getByText('Passed on').waitFor();
  await expect
    .poll(async () => (await call<{ status: string }>('GET', `/categories/${id}`).catch(() => undefined))?.status)
    .toBe('Available');

  await row.getByRole('button', { name: `Change ${title}` }).click();
  const change = page.getByRole('dialog', { name: 'What you look for' });
  await change.getByLabel('Near').fill('Nowhereville Upon Thames');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.getByText('We do not know this place').waitFor();
  await change.getByLabel('Near').fill('Portland, OR');
  await change.getByText('No copy with …').click();
  await change.getByLabel('Water damage').check();
  await change.getByRole('button', { name: 'Save' }).click();
  await row.getByText('within 25 km of Portland, OR, no water damage').waitFor();
  await row.getByRole('button', { name: `Pause ${title}` }).click();
  await row.getByText('Paused: nothing is offered to you').waitFor();
  await row.getByRole('button', { name: `Keep looking for ${title}` }).click();
  await row.getByText('Looking since').waitFor();
  await row.getByRole('button', { name: `End ${title}` }).click();
  await page.getByRole('button', { name: 'End it' }).click();
  await expect.poll(() => row.count()).toBe(0);
  await leave();
});

test('the line of a held copy comes first; who wants the book has it when the line is through', async () => {
  const title = 'After Leaving Mr Mackenzie';
  const id = await list(title);
  const [holder, inLine, waiting] = [
    await aReader('Hal Holder'),
    await aReader('Lin Line'),
    await aMember(browser, shop.url, 'Buyer', { width: PHONE_PX }),
  ];
  const cancelIn = async (page: Page): Promise<void> => {
    await page.goto('/dashboard/my_orders');
    const row = page.getByRole('row').filter({ hasText: title });
    await openRow(row);
    // What a phone opens is a row of its own.
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the booking' }).click();
    await page.getByText('Booking cancelled').waitFor();
  };
  await holder.page.goto(`/book/${id}`);
  await holder.page.getByRole('button', { name: /^Book Now/ }).click();
  const booking = holder.page.getByRole('dialog');
  await booking.getByLabel('Phone').fill('+1 555 0142');
  await booking.getByRole('button', { name: /^Book for/ }).click();
  await holder.page.getByText('Booking successful').waitFor();

  await inLine.page.goto(`/book/${id}`);
  await inLine.page.getByRole('button', { name: /^Join waiting list/ }).click();
  await inLine.page.getByRole('dialog').getByRole('button', { name: 'Join waiting list' }).click();
  await inLine.page.getByText('You’re first on the waiting list.').waitFor();
  const { page } = waiting;
  await page.goto(`/book/${id}`);
  await page.getByRole('link', { name: 'Tell me when there is another' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Tell me' }).click();
  await page.getByRole('heading', { name: title, level: 2 }).waitFor();

  await cancelIn(holder.page);
  await inLine.page.goto(`/book/${id}`);
  await inLine.page.getByText(/^Reserved for you until/).waitFor();
  expect(await offerIn(page, title).count()).toBe(0);
  await cancelIn(inLine.page);
  await untilOffered(page, title);
  await inLine.page.goto(`/book/${id}`);
  await inLine.page.getByText('Another reader asked for this book before it came').first().waitFor();
  await page.getByRole('button', { name: `Not this one ${title}` }).click();
  await page.getByText('Passed on').waitFor();
  await Promise.all([holder, inLine, waiting].map(({ leave }) => leave()));
});

test('a stranger keeps what was typed through making an account, and a seller switches first refusal off', async () => {
  const { page, leave } = await aVisitor(browser, shop.url, { width: PHONE_PX });
  await page.goto('/search?q=Voyage+in+the+Dark+zzz');
  await page.getByRole('link', { name: 'Tell me when there is one' }).click();
  await page.getByRole('link', { name: 'Create Account' }).click();
  await page.getByLabel('Name').fill('Jean Reader');
  await page.getByLabel('Email').fill('jean@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Sargasso#1966');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('button', { name: /Buyer/ }).click();
  await page.getByRole('heading', { name: 'Sign In', level: 1 }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill('Sargasso#1966');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Tell me when there is one' });
  await form.waitFor();
  expect(await form.getByLabel('Title').inputValue()).toBe('Voyage in the Dark zzz');
  await leave();

  const { page: shelf } = seller;
  await shelf.goto('/dashboard/wanted');
  await shelf.getByRole('heading', { name: 'Wanted by Readers', level: 1 }).waitFor();
  await expectAccessible(shelf, 'Wanted by Readers');
  const box = shelf.getByLabel('Offer my new books to waiting readers first');
  expect(await box.isChecked()).toBe(true);
  await box.uncheck();
  await expect.poll(async () => (await seller.call<{ on: boolean }>('GET', '/wants/first-refusal')).on).toBe(false);
});
