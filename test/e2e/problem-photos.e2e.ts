// What is wrong with a book that came is shown to its seller and the shop, and to nobody else.
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#contract/orders/orders.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import { aPicture } from '#test/photos.ts';
import { expectAccessible } from './axe.ts';
import { buyByPost } from './by-post.ts';
import { alive } from './failing.ts';
import { openJourney, type Journey } from './journey.ts';
import { shoot } from './pictures.ts';
import { memberWith } from './sign-in.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await openJourney();
});
afterAll(() => journey.close());

const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await alive(page);
};

/** Whether something was drawn on a canvas: not one colour, as the pictures here are noise. */
const isDrawn = (canvas: Locator): Promise<boolean> =>
  canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) return false;
    const { data } = element.getContext('2d')?.getImageData(0, 0, 100, 100) ?? { data: [] };
    return new Set(data).size > 16;
  });
const untilDrawn = (canvas: Locator): Promise<void> =>
  expect.poll(() => isDrawn(canvas), { timeout: 15_000 }).toBe(true);
const small = (page: Page, at: 1 | 2): Locator =>
  page.getByRole('list', { name: 'Photos of the problem' }).locator(`canvas[aria-label^="photo ${at} of 2"]`);

test('a buyer shows a problem with two photos; its seller and the shop see them, and no other seller', async () => {
  const { shop, browser, db, buyer, seller, admin } = journey;
  const { order: id } = await buyByPost(shop, db, buyer);
  const path = `/dashboard/orders/${id}`;
  await seller.call('POST', `/orders/${id}/moves`, { move: 'post', carrier: 'USPS', tracking: '9400' });
  await buyer.call('POST', `/orders/${id}/moves`, { move: 'receive' });

  const { page } = buyer;
  await open(page, path);
  await page
    .getByRole('group', { name: 'More' })
    .getByRole('button', { name: 'Report a problem', exact: true })
    .click();
  const form = page.getByRole('dialog', { name: 'Report a problem' });
  await form.getByLabel('It came damaged').check();
  await form.getByLabel('In your words').fill('The spine is broken, and pages 3 to 9 are wet.');
  // A file picker that is left without a choice: nothing typed is lost by it.
  const input = form.locator('input[type="file"][multiple]');
  await input.dispatchEvent('cancel', { bubbles: true });
  await form.getByText('Optional: up to 8 that show it').waitFor();
  // The network is slow: the form is sent before its photos are there, and waits for them.
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route('**/api/photos/*', async (route) => {
    await held;
    await route.continue();
  });
  const files = await Promise.all(
    ['spine.jpg', 'pages.jpg'].map(async (name) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: await aPicture(1_800, 1_200),
    })),
  );
  await input.setInputFiles(files);
  await form.getByRole('listitem', { name: 'Photo 2 of 2', exact: true }).waitFor();
  expect(await form.getByText('Cover', { exact: true }).count()).toBe(0);
  await expectAccessible(page, 'a complaint with photos');
  await shoot(page, 'complaint-with-photos');
  await form.getByRole('button', { name: 'Report a problem' }).click();
  await form.getByRole('button', { name: 'Waiting for 2 photos…' }).waitFor();
  letGo();
  await page.getByRole('heading', { level: 1, name: 'There is a problem', exact: true }).waitFor();

  for (const who of [buyer, seller, admin]) {
    await open(who.page, path);
    await untilDrawn(small(who.page, 1));
    await untilDrawn(small(who.page, 2));
  }
  await expectAccessible(seller.page, 'a problem with photos');
  await shoot(seller.page, 'problem-photos');
  const second = seller.page.getByRole('button', { name: 'Show photo 2 of 2 of the problem large' });
  await second.click();
  const large = seller.page.getByRole('dialog', { name: 'Photo 2 of 2' });
  const drawn = large.getByRole('img', { name: 'photo 2 of 2 of the problem', exact: true });
  await untilDrawn(drawn);
  // More than what the page shows of it.
  expect(Number(await drawn.getAttribute('width'))).toBeGreaterThan(720);
  await expectAccessible(seller.page, 'a photo of a problem, large');
  await shoot(seller.page, 'problem-photo-large');
  await seller.page.keyboard.press('Escape');
  await large.waitFor({ state: 'hidden' });
  expect(await second.evaluate((element) => element === document.activeElement)).toBe(true);

  const { problem } = await buyer.call<Order>('GET', `/orders/${id}`);
  const ids = problem?.photos.map((photo) => photo.id) ?? [];
  expect(ids).toHaveLength(2);
  const stranger = { email: 'another-seller@example.com', password: 'Paper#Lane77' };
  await registerUser(db, { ...stranger, name: 'Ann Other', roles: ['seller'], emailProven: true });
  const other = await memberWith(browser, shop.url, stranger);
  for (const photo of ids)
    await expect(other.call('GET', `/photos/${photo}/320.webp`)).rejects.toThrow(`/photos/${photo}/320.webp: 404`);
});

test('a photo that cannot be fetched says so, and comes when it is asked for again', async () => {
  const { page } = journey.seller;
  let isAway = true;
  await page.route('**/api/photos/*/720.webp', (route) => (isAway ? route.abort() : route.continue()));
  await page.reload();
  const photos = page.getByRole('list', { name: 'Photos of the problem' });
  await photos.getByText('This photo cannot be shown.').first().waitFor();
  // Nobody pressed anything: the focus stays where it was.
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await expectAccessible(page, 'photos that cannot be fetched');
  await shoot(page, 'problem-photos-away');
  isAway = false;
  await photos.getByRole('button', { name: 'Try again' }).first().click();
  await untilDrawn(small(page, 1));
});
