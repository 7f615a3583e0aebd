// A refund that the buyer's bank sends back days later: an admin pays it another way and says so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/platform/postgres/db.ts';
import { STANDIN_SECRET_KEY } from '#standins/stripe/keys.ts';
import { listAtStripe } from '#test/e2e/money/at-stripe.ts';
import { expectAccessible } from './axe.ts';
import { buyByPost } from './by-post.ts';
import { alive } from './failing.ts';
import { openJourney } from './journey.ts';
import { ledgerOf, paymentOf } from '#test/e2e/money/ledger.ts';
import { openMail } from './mailbox.ts';
import { shoot } from './pictures.ts';
import { openRow } from './rows.ts';
import type { RunningShop } from './shop.ts';
import type { Member } from './sign-in.ts';

let shop: RunningShop;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let admin: Member;

beforeAll(async () => {
  ({ shop, db, buyer, admin, close } = await openJourney());
});
afterAll(() => close());

test('a refund that failed is paid another way, and its buyer told how', async () => {
  const { order, booking, copy } = await buyByPost(shop, db, buyer);
  const { page } = admin;
  await page.goto('/dashboard/money');
  await alive(page);
  const payments = page.getByRole('table', { name: 'Payments, newest first' });
  const row = payments.getByRole('row').filter({ hasText: copy.title });
  await openRow(row);
  await row.getByRole('button', { name: /^Refund/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refund in full' }).click();
  await row.getByText('Refunded', { exact: true }).waitFor();

  // Days later the card's bank sends it back.
  const intent = await paymentOf(db, booking);
  const [refund] = await listAtStripe<{ id: string; amount: number }>(shop, `refunds?payment_intent=${intent}`);
  const failed = await fetch(`${shop.url}/standins/stripe/refunds/${refund?.id}/fail`, {
    method: 'POST',
    headers: { authorization: `Bearer ${STANDIN_SECRET_KEY}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(failed.status).toBe(200);
  const refused = row.getByText('Refund refused', { exact: true });
  await expect
    .poll(
      async () => {
        await page.reload();
        await row.waitFor();
        return refused.count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await alive(page);

  await openRow(row);
  await row.getByRole('button', { name: /^Paid another way/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Paid another way?' });
  await dialog.getByRole('button', { name: 'It is paid' }).click();
  await dialog.getByText('Please say how it was paid').waitFor();
  await expectAccessible(page, 'a refund paid another way');
  await shoot(page, 'paid-otherwise');
  await dialog.getByLabel('Reference').fill('Wire 2026-118');
  await dialog.getByRole('button', { name: 'It is paid' }).click();
  await row.getByText('Refunded', { exact: true }).waitFor();
  expect(await row.getByRole('button', { name: /^Paid another way/ }).count()).toBe(0);
  await page.getByText('All balances match', { exact: true }).waitFor();
  // The mail of the refund that failed has the same subject.
  const mailed = async (): Promise<number> => {
    await openMail(page, `Refunded: ${copy.title}`);
    return page.getByText('Wire 2026-118').count();
  };
  await expect.poll(mailed, { timeout: 20_000 }).toBeGreaterThan(0);

  // The money is at the provider still; it left the shop's own bank instead.
  expect(await ledgerOf(db, order)).toMatchObject({ provider: refund?.amount, bank: -(refund?.amount ?? 0) });
  await Promise.all([buyer.leave(), admin.leave()]);
});
