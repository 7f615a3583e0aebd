import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ListingDetail } from '#contract/catalog/catalog.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { copiesThat } from './copies.ts';
import type { Member } from './sign-in.ts';

/** The demo's clock goes on. */
export const advance = async (shop: { readonly url: string }, hours: number): Promise<void> => {
  const answer = await fetch(`${shop.url}/standins/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceHours: Math.ceil(hours) }),
  });
  expect(answer.status).toBe(200);
};

const ADDRESS = {
  Name: 'Bea Buyer',
  'Address line 1': '1 Page Street',
  City: 'Portland',
  State: 'OR',
  'ZIP code': '97201',
};

/** Pays on an open payment page by card, and has the book posted. */
export const payByPost = async (page: Page): Promise<void> => {
  await page.getByRole('radio', { name: /^By post/ }).check();
  for (const [label, value] of Object.entries(ADDRESS)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByLabel(/Expiration/).fill('1232');
  await page.getByLabel(/CVC/).fill('123');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByText('Congrats! Your payment completed').waitFor();
};

export interface Bought {
  readonly order: string;
  readonly booking: string;
  readonly copy: ListingDetail;
}

/** A copy that the demo seller posts is booked and paid for by card, on the payment page. */
export const buyByPost = async (shop: { readonly url: string }, db: Db, buyer: Member): Promise<Bought> => {
  const mine = await db
    .selectFrom('listings as l')
    .innerJoin('users as u', 'u.id', 'l.seller_id')
    .select('l.id')
    .where('u.email', '=', 'seller@example.com')
    .execute();
  const [copy] = await copiesThat(shop.url, ({ _id, delivery }) => delivery.post && mine.some(({ id }) => id === _id));
  if (copy === undefined) throw new Error('the seller posts nothing');
  const { _id: listingId, title, image_url, resale_price: price } = copy;
  const who = { buyer: '', email: 'buyer@example.com', phone: '+1 555 0142', location: '' };
  const draft = { listingId, title, image_url, price, ...who };
  const { insertedId: booking } = await buyer.call<{ insertedId: string }>('POST', '/bookings', draft);
  await buyer.page.goto(`/dashboard/payment/${booking}`);
  await payByPost(buyer.page);
  const { orderId: order } = await buyer.call<{ orderId: string }>('GET', `/bookings/${booking}`);
  return { order, booking, copy };
};
