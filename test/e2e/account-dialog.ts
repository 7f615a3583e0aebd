import type { Locator, Page } from 'playwright-core';
import { alive } from './failing.ts';

/** What a stranger's new account has for a password. */
export const NEW_PASSWORD = 'Frank#1818';

let people = 0;
/** An address that has no account yet. */
export const anAddress = (): string => `first.buyer${(people += 1)}@example.com`;

export const dialogOf = (page: Page): Locator => page.getByRole('dialog');
/** What Book Now opens for a stranger. */
export const accountDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Create account or sign in' });
export const createButton = (page: Page): Locator => accountDialog(page).getByRole('button', { name: /^Creat/ });
/** What shows that the booking dialog is there. */
export const phoneField = (page: Page): Locator => dialogOf(page).getByLabel('Phone');

export const freeButton = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Book Now/, disabled: false })
    .first();

export const titleOn = async (button: Locator): Promise<string> =>
  ((await button.textContent()) ?? '').replace('Book Now ', '');

/** Presses Book Now as a stranger; answers the title of the copy. */
export const openAccountDialog = async (page: Page, path = '/'): Promise<string> => {
  await page.goto(path);
  await alive(page);
  const title = await titleOn(freeButton(page));
  await freeButton(page).click();
  await accountDialog(page).getByLabel('Email').waitFor();
  return title;
};

export const fillAccount = async (page: Page, email: string): Promise<void> => {
  const dialog = accountDialog(page);
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Name').fill('Mary Shelley');
  await dialog.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
};

/** Signs in as the buyer of the demo shop in the dialog, which is open. */
export const signInToBook = async (page: Page): Promise<void> => {
  const dialog = accountDialog(page);
  await dialog.getByRole('radio', { name: 'I have an account' }).check();
  await dialog.getByLabel('Email').fill('buyer@example.com');
  await dialog.getByLabel('Password', { exact: true }).fill('Buyer#2026');
  await dialog.getByRole('button', { name: 'Sign In', exact: true }).click();
};
