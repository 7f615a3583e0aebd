// A shop that pays its sellers by bank transfer: bank details, a batch that two admins make, its file, and what comes
// back.
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Batch } from '#contract/money/by-hand.ts';
import type { StatementSummary } from '#contract/money/ledger.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { expectAccessible } from './axe.ts';
import { advance, buyByPost } from './by-post.ts';
import { bytesOf } from './download.ts';
import { alive } from './failing.ts';
import { openJourney, PHONE_PX } from './journey.ts';
import { openMail } from './mailbox.ts';
import { shoot } from './pictures.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, memberWith, type Member } from './sign-in.ts';

const SECOND = { email: 'second@example.com', password: 'Second#Admin1' };
const TWIN = { email: 'twin@example.com', password: 'Twin#Seller1' };
const PAGE = '/dashboard/money/by-hand';
/** Above what one admin may pay out alone. */
const CORRECTION = 500;
const ROUTING = '021000021';
const ACCOUNT = '000123456789';
const IBAN = 'DE89 3704 0044 0532 0130 00';

let shop: RunningShop;
let browser: Browser;
let db: Db;
let close: () => Promise<void>;
let buyer: Member;
let seller: Member;
let first: Member;
let second: Member;

beforeAll(async () => {
  const nacha = {
    NACHA_BANK_ROUTING: '121000358',
    NACHA_BANK_NAME: 'BOOK BANK',
    NACHA_COMPANY_ID: '1234567890',
    NACHA_COMPANY_NAME: 'DOGEAR',
  };
  ({ shop, browser, db, buyer, seller, admin: first, close } = await openJourney({ PAYOUTS: 'manual', ...nacha }));
  await registerUser(db, { ...TWIN, name: 'Tara Twin', roles: ['seller'], verified: false, emailProven: true });
  await registerUser(db, { ...SECOND, name: 'Sol Second', roles: ['admin'], verified: false, emailProven: true });
  second = await memberWith(browser, shop.url, SECOND, { width: PHONE_PX });
});
afterAll(() => close());

const open = async (page: Page, path: string): Promise<void> => {
  await page.goto(path);
  await alive(page);
};
/** What had the focus may be gone: then it is where one was. */
const hasFocus = (page: Page, element: string): Promise<void> => page.locator(`main ${element}:focus`).waitFor();
const list = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('listitem');
const money = (dollars: number): string => `$${dollars.toFixed(2)}`;
const due = async () => (await seller.call<StatementSummary>('GET', '/statement/summary')).due;

const saved = async (page: Page, button: string): Promise<Download> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return download;
};

/** One admin asks for a correction of what the seller is due, the other one books it. */
const correct = async (dollars: number): Promise<void> => {
  const { page } = first;
  await open(page, PAGE);
  await page.getByRole('button', { name: 'Ask for a correction' }).click();
  const dialog = page.getByRole('dialog', { name: 'Ask for a correction' });
  await dialog.getByRole('button', { name: 'Ask for it' }).click();
  await dialog.getByText('Give the address the seller signs in with').waitFor();
  await expectAccessible(page, 'asking for a correction');
  await shoot(page, 'by-hand-correction');
  await dialog.getByLabel('Seller’s email address').fill('seller@example.com');
  await dialog.getByLabel('Amount in dollars').fill(dollars.toFixed(2));
  await dialog.getByLabel('Reason').fill('A parcel of theirs was lost by our courier.');
  await dialog.getByRole('button', { name: 'Ask for it' }).click();
  await page.getByText('Another admin has to approve it.').first().waitFor();
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  const before = await due();
  await open(second.page, PAGE);
  await second.page.getByRole('button', { name: /^Approve/ }).click();
  await expect.poll(due).toBeCloseTo(before + dollars, 2);
  await second.page.getByText('Booked', { exact: true }).first().waitFor();
};

test('bank details are entered, two admins pay a batch, and what the bank sends back is due again', async () => {
  const { order } = await buyByPost(shop, db, buyer);
  await seller.call('POST', `/orders/${order}/moves`, { move: 'post', carrier: 'USPS', tracking: '9400' });
  await buyer.call('POST', `/orders/${order}/moves`, { move: 'receive' });

  // What is wrong is said beside its field; the password is asked for again.
  const { page } = seller;
  await open(page, '/dashboard/payouts');
  await page.getByText('Say where you want to be paid').waitFor();
  await page.getByLabel('Country of your bank account').selectOption('US');
  await page.getByLabel('Name on the account').fill('Marlow Books LLC');
  await page.getByLabel('Routing number').fill('021000022');
  await page.getByLabel('Account number').fill(ACCOUNT);
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await page.getByText('This is no routing number: one of the digits is wrong').waitFor();
  await page.getByText('Choose checking or savings').waitFor();
  await page.getByText('Please enter your password').waitFor();
  await expectAccessible(page, 'bank details, with mistakes');
  await shoot(page, 'by-hand-details-form');
  await page.getByLabel('Routing number').fill(ROUTING);
  await page.getByLabel('Type of account').selectOption('checking');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Save bank details' }).click();
  const error = page.getByLabel('Password', { exact: true }).locator('xpath=following-sibling::*[@data-field-error]');
  await error.waitFor();
  await page.getByLabel('Password', { exact: true }).fill('Seller#2026');
  await page.getByRole('button', { name: 'Save bank details' }).click();
  await page.getByText('Payouts pause for now').waitFor();
  await page.getByText('…6789').waitFor();
  await hasFocus(page, 'section');
  expect(await page.getByRole('main').innerText()).not.toContain(ACCOUNT);
  expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toContain(
    ACCOUNT,
  );
  await expectAccessible(page, 'bank details');
  await shoot(page, 'by-hand-details');
  await openMail(page, 'Your bank details were entered');

  // Somebody else names the same account.
  const twin = await memberWith(browser, shop.url, TWIN);
  const details = { kind: 'us', holder: 'Tara Twin', country: 'US', routing: ROUTING, account: ACCOUNT };
  const { password } = TWIN;
  await twin.call('PUT', '/payouts/details', { ...details, accountType: 'savings', password });
  await twin.leave();

  await advance(shop, 71);
  await correct(CORRECTION);
  await open(first.page, PAGE);
  await list(first.page, 'Not payable yet')
    .getByText(/Bank details were changed: pauses until/)
    .waitFor();
  await first.page.getByText('Nobody can be paid right now.').waitFor();
  await shoot(first.page, 'by-hand-paused');
  await advance(shop, 3);
  await expect.poll(due, { timeout: 20_000 }).toBeGreaterThan(CORRECTION);
  const amount = await due();

  // One admin makes the batch and cannot approve it; another one does.
  await open(first.page, PAGE);
  await list(first.page, 'Ready to be paid').getByText('Needs a second admin: more than $500.00.').waitFor();
  await list(first.page, 'Ready to be paid').getByText('The same account as Tara Twin: look who they are.').waitFor();
  const box = first.page.getByRole('checkbox');
  expect(await box.isChecked()).toBe(true);
  await box.press('Space');
  await first.page.getByText('Nobody is chosen.').waitFor();
  await box.press('Space');
  await expectAccessible(first.page, 'who is due what');
  await shoot(first.page, 'by-hand-due');
  await first.page.getByRole('button', { name: `Make a batch of ${money(amount)}` }).click();
  await first.page.getByRole('dialog').getByRole('button', { name: 'Make the batch' }).click();
  await first.page.waitForURL(/by-hand\/./);
  await hasFocus(first.page, 'h1');
  const path = new URL(first.page.url()).pathname;
  await first.page.getByText('A second admin has to look at it').waitFor();
  expect(await first.page.getByRole('button', { name: /^(Approve|Download|Mark paid)/ }).count()).toBe(0);
  await expectAccessible(first.page, 'a batch to be approved');
  await shoot(first.page, 'by-hand-batch-own');
  const id = path.split('/').at(-1) ?? '';
  await expect(first.call('POST', `/money/batches/${id}/approve`)).rejects.toThrow('409');
  expect((await seller.call<StatementSummary>('GET', '/statement/summary')).onItsWay).toBe(amount);

  await open(second.page, '/dashboard');
  await second.page.getByRole('link', { name: /^1 payout or correction to approve/ }).click();
  await second.page.getByRole('link', { name: `1 payout, ${money(amount)}` }).click();
  await second.page.getByRole('button', { name: 'Approve' }).click();
  await shoot(second.page, 'by-hand-approve');
  await second.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await second.page.getByText('Approved by Sol Second.').waitFor();
  await hasFocus(second.page, 'p');

  // The file for the bank, the same each time, in both forms.
  await open(first.page, path);
  const csv = await saved(first.page, 'Download CSV');
  expect(csv.suggestedFilename()).toMatch(/^dogear-batch-\d+\.csv$/);
  const bytes = await bytesOf(csv);
  expect(bytes.toString('utf8')).toContain(`"Marlow Books LLC"`);
  for (const cell of [ROUTING, ACCOUNT, amount.toFixed(2)]) expect(bytes.toString('utf8')).toContain(cell);
  const nacha = await saved(first.page, 'Download NACHA');
  expect(nacha.suggestedFilename()).toMatch(/^dogear-batch-\d+\.ach$/);
  const lines = (await bytesOf(nacha)).toString('ascii').trimEnd().split(/\r?\n/);
  expect(lines.map((line) => line.length)).toEqual(Array.from({ length: 10 }, () => 94));
  expect(lines.find((line) => line.startsWith('6'))).toContain(String(Math.round(amount * 100)).padStart(10, '0'));

  // Paid, with what the bank says of it.
  await first.page.getByRole('button', { name: /^Mark paid/ }).click();
  const dialog = first.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Mark paid' }).click();
  await dialog.getByText('Give the reference of the transfer').waitFor();
  await expectAccessible(first.page, 'marking a payout as paid');
  await shoot(first.page, 'by-hand-paid-dialog');
  await dialog.getByLabel('Reference').fill('ACH 4711');
  await dialog.getByRole('button', { name: 'Mark paid' }).click();
  await first.page.getByText(/ACH 4711/).waitFor();
  await hasFocus(first.page, 'li');
  await shoot(first.page, 'by-hand-batch-paid');
  await openMail(page, `Your money is on its way: ${money(amount)}`);
  await open(page, '/dashboard/statement');
  await page.getByText(`${money(amount)} that you were due is paid out to you.`).waitFor();
  await open(page, '/dashboard/payouts');
  await page.getByRole('table', { name: 'Your payouts, newest first' }).getByText('Sent', { exact: true }).waitFor();
  await page.getByText('Payouts come to your bank account').waitFor();
  await expectAccessible(page, 'payouts by hand');
  await shoot(page, 'by-hand-payouts');

  // Another one comes back: it is due again, and the details have to be entered anew.
  await correct(25);
  const batchOf25 = async (): Promise<void> => {
    await open(first.page, PAGE);
    await first.page.getByRole('button', { name: 'Make a batch of $25.00' }).click();
    await dialog.getByRole('button', { name: 'Make the batch' }).click();
  };
  await batchOf25();
  await first.page.getByRole('button', { name: /^Strike off/ }).click();
  await dialog.getByText(/It is left out of the file\./).waitFor();
  await dialog.getByLabel('Reason').fill('The seller asked us to wait');
  await dialog.getByRole('button', { name: 'Strike off' }).click();
  await first.page.getByText('Struck off', { exact: true }).first().waitFor();
  await batchOf25();
  await first.page.getByRole('button', { name: /^Mark paid/ }).click();
  await dialog.getByLabel('Reference').fill('ACH 4712');
  await dialog.getByRole('button', { name: 'Mark paid' }).click();
  await first.page.getByRole('button', { name: /^Sent back/ }).click();
  await dialog.getByRole('button', { name: 'It came back' }).click();
  await dialog.getByText('Please give a reason').waitFor();
  await shoot(first.page, 'by-hand-returned-dialog');
  await dialog.getByLabel('Reason').fill('R02: the account is closed');
  await dialog.getByRole('button', { name: 'It came back' }).click();
  await first.page.getByText(/R02: the account is closed/).waitFor();
  await expectAccessible(first.page, 'a batch of which a payout came back');
  await shoot(first.page, 'by-hand-batch-returned');
  expect(await due()).toBe(25);
  await openMail(page, 'Your bank sent a payout back: $25.00');
  await open(page, '/dashboard/payouts');
  await page.getByText('Please enter your bank details anew').waitFor();
  await page
    .getByText(/R02: the account is closed/)
    .first()
    .waitFor();
  await expectAccessible(page, 'bank details that are locked');
  await shoot(page, 'by-hand-locked');

  // An account abroad now, with the keyboard alone.
  await page.getByLabel('Country of your bank account').selectOption('DE');
  await page.getByLabel('Name on the account').fill('Marlow Bücher GmbH');
  await page.keyboard.press('Tab');
  await page.keyboard.type(IBAN);
  await page.keyboard.press('Tab');
  // The switch that shows the password.
  await page.keyboard.press('Tab');
  await page.keyboard.type('Seller#2026');
  await page.keyboard.press('Enter');
  await page.getByText('Payouts pause for now').waitFor();
  await page.getByText('…3000').waitFor();
  await openMail(page, 'Your bank details were changed');
  await advance(shop, 73);
  await open(first.page, PAGE);
  await list(first.page, 'Ready to be paid')
    .getByText(/the first payout to changed bank details/)
    .waitFor();
  await shoot(first.page, 'by-hand-overview');

  // The file of before is as it was, and the books agree.
  await open(first.page, path);
  expect(await bytesOf(await saved(first.page, 'Download CSV'))).toEqual(bytes);
  const { batches } = await first.call<{ batches: Batch[] }>('GET', '/money/by-hand');
  expect(batches.map(({ amount: dollars, open: left }) => [dollars, left])).toEqual([
    [25, 0],
    [25, 0],
    [amount, 0],
  ]);
  await open(first.page, '/dashboard/money');
  await first.page.getByText('All balances match', { exact: true }).waitFor();
  await Promise.all([buyer.leave(), seller.leave(), first.leave(), second.leave()]);
});

test('a shop that pays nobody out says so to sellers and admins', async () => {
  const off = await openShop({ env: { PAYOUTS: 'off' } });
  const look = { width: PHONE_PX, theme: 'dark' } as const;
  const [owed, admin] = await Promise.all([
    aMember(browser, off.url, 'Seller', look),
    aMember(browser, off.url, 'Admin', look),
  ]);
  await open(owed.page, '/dashboard/payouts');
  await owed.page.getByText('Nothing is paid out for now').waitFor();
  await expectAccessible(owed.page, 'payouts that are off');
  await open(admin.page, PAGE);
  await admin.page.getByText('Payouts are switched off: what sellers are due stays theirs.').waitFor();
  await expectAccessible(admin.page, 'payouts by hand that are off');
  await Promise.all([owed.leave(), admin.leave()]);
  await off.close();
});
