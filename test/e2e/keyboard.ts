import type { Locator, Page } from 'playwright-core';

/** More than any page has stops. */
const MOST_STOPS = 160;

export const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((element) => element.matches(':focus'));

/** Goes on by Tab until `target` has the focus, as somebody without a mouse does. */
export const tabTo = async (page: Page, target: Locator): Promise<void> => {
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('the keyboard does not reach it');
};

/** Goes to `target` and presses Enter there. */
export const press = async (page: Page, target: Locator): Promise<void> => {
  await target.waitFor();
  await tabTo(page, target);
  await page.keyboard.press('Enter');
};

/** Goes to the field and types into it. */
export const type = async (page: Page, field: Locator, text: string): Promise<void> => {
  await field.waitFor();
  await tabTo(page, field);
  await page.keyboard.type(text);
};
