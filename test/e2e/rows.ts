import type { Locator } from 'playwright-core';

/** Opens the first of these rows of a table: on a phone with one press, at a desk there is nothing to open. */
export const openRow = async (rows: Locator): Promise<void> => {
  const row = rows.first();
  await row.waitFor();
  const more = row.getByRole('button', { name: /^Show more of / });
  if ((await more.isVisible()) && (await more.getAttribute('aria-expanded')) === 'false') await more.click();
};
