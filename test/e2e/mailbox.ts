import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Opens the newest mail with this subject in the shop's mailbox stand-in, once it is there. */
export const openMail = async (page: Page, subject: string): Promise<void> => {
  await page.goto('/standins/mailbox');
  const mail = page.getByRole('link', { name: subject });
  await expect
    .poll(async () => {
      await page.reload();
      return mail.count();
    })
    .toBeGreaterThan(0);
  await mail.first().click();
  await page.getByRole('heading', { name: subject, level: 1 }).waitFor();
};
