// What buyer and seller of a closed order say of each other, and what an admin does with words that lead outside.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessible } from './axe.ts';
import { openJourney, PHONE_PX, type Journey } from './journey.ts';

let journey: Journey;

/** Closed orders that nobody has reviewed yet, by what became of them. */
const unreviewed = async (outcome: 'part-refunded' | 'refunded'): Promise<string> => {
  const found = await journey.db
    .selectFrom('orders as o')
    .innerJoin('users as b', 'b.id', 'o.buyer_id')
    .select('o.id')
    .where('b.email', '=', 'buyer@example.com')
    .where('o.outcome', '=', outcome)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('reviews as r').select('r.id').whereRef('r.order_id', '=', 'o.id').where('r.by', '=', 'buyer'),
        ),
      ),
    )
    .executeTakeFirst();
  return found?.id ?? '';
};

beforeAll(async () => {
  journey = await openJourney({ DEMO_ORDERS: '1' });
});
afterAll(() => journey.close());

/** The demo's orders are made while the shop is open: the held review comes after those that are looked for here. */
const ordersAreThere = () =>
  expect
    .poll(() => journey.db.selectFrom('reviews').select('id').where('words', 'like', '%www.%').execute(), {
      timeout: 90_000,
    })
    .toHaveLength(1);

const reviews = (page: Page) => page.locator('#reviews');
const isNarrow = async (page: Page): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE_PX);
};

test('a buyer reviews, changes it, the seller does not read it before writing too, and replies', async () => {
  const { buyer, seller } = journey;
  await ordersAreThere();
  const path = `/dashboard/orders/${await unreviewed('part-refunded')}`;
  await buyer.page.goto(path);
  const mine = reviews(buyer.page);
  await mine.getByRole('button', { name: 'Save review' }).click();
  await mine.getByText('Please choose one to five stars').waitFor();
  await mine.getByRole('radio', { name: '2 stars: Poor' }).check({ force: true });
  await mine.getByRole('group', { name: 'Was it as described?' }).getByLabel('No', { exact: true }).check();
  await mine.getByLabel('In your words').fill('The jacket is torn.');
  await expectAccessible(buyer.page, 'a review is written');
  await isNarrow(buyer.page);
  await mine.getByRole('button', { name: 'Save review' }).click();
  await mine.getByRole('img', { name: '2 of 5 stars' }).waitFor();
  await mine.getByText(/Until then you can change it/).waitFor();
  await mine.getByRole('button', { name: 'Change it' }).click();
  expect(await mine.getByLabel('In your words').inputValue()).toBe('The jacket is torn.');
  await mine.getByRole('radio', { name: '3 stars: All right' }).check({ force: true });
  await mine.getByRole('button', { name: 'Change review' }).click();
  await mine.getByRole('img', { name: '3 of 5 stars' }).waitFor();

  await seller.page.goto(path);
  const theirs = reviews(seller.page);
  await theirs.getByRole('heading', { name: /^How was it with/ }).waitFor();
  expect(await theirs.getByText('The jacket is torn.').count()).toBe(0);
  expect(await theirs.getByText('Was it as described?').count()).toBe(0);
  await theirs.getByRole('radio', { name: '5 stars: Excellent' }).check({ force: true });
  await theirs.getByRole('button', { name: 'Save review' }).click();
  await theirs.getByText('The jacket is torn.').waitFor();
  await theirs.getByText('Not as described').waitFor();
  await theirs.getByLabel('Your reply').fill('It was said on the page, below the photo.');
  await theirs.getByRole('button', { name: 'Reply', exact: true }).click();
  await theirs.getByText('You replied').waitFor();
  await expectAccessible(seller.page, 'reviews of both sides');
  await isNarrow(seller.page);

  await buyer.page.reload();
  await mine.getByText('It was said on the page, below the photo.').waitFor();
  expect(await mine.getByRole('button', { name: 'Change it' }).count()).toBe(0);
  await buyer.page.goto('/dashboard/notices');
  await buyer.page
    .getByText(/^A reply to your review of/)
    .first()
    .waitFor();
});

test('words that lead outside are shown once an admin has looked, or are removed with a reason', async () => {
  const { buyer, admin } = journey;
  await ordersAreThere();
  const path = `/dashboard/orders/${await unreviewed('refunded')}`;
  await buyer.page.goto(path);
  const mine = reviews(buyer.page);
  await mine.getByRole('radio', { name: '1 star: Bad' }).check({ force: true });
  await mine.getByLabel('In your words').fill('Buy from me instead: mayabooks.com');
  await mine.getByRole('button', { name: 'Save review' }).click();
  await mine.getByText('It names a link or a contact: an admin looks at it before it is shown.').first().waitFor();

  const { page } = admin;
  await page.goto('/dashboard');
  await page.getByRole('link', { name: /2 reviews to look at/ }).click();
  const held = page.getByRole('list', { name: 'Reviews to look at, the oldest first' });
  await held.getByText('Buy from me instead: mayabooks.com').waitFor();
  await expectAccessible(page, 'reviews to look at');
  await isNarrow(page);
  const row = held.getByRole('listitem').filter({ hasText: 'mayabooks.com' });
  await row.getByRole('button', { name: /^Remove/ }).click();
  await page.getByLabel('Reason').fill('An advertisement');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  await held.getByRole('button', { name: /^Show it/ }).click();
  await page.getByText(/None\. Reviews and replies/).waitFor();

  await buyer.page.reload();
  await mine.getByText('It is not shown: an admin has looked at it.').waitFor();
  await page.goto('/dashboard/audit');
  await page
    .getByText(/^Removed a review by/)
    .first()
    .waitFor();
});
