import type { Browser } from 'playwright-core';
import { connect, type Db } from '#server/platform/postgres/db.ts';
import { launchBrowser } from './browser.ts';
import { openShop, type RunningShop } from './shop.ts';
import { aMember, type Member } from './sign-in.ts';

/** How wide the windows of a journey are. */
export const PHONE_PX = 390;

/** A demo shop of its own with the people of a sale in it, each signed in on a phone. */
export interface Journey {
  readonly shop: RunningShop;
  readonly browser: Browser;
  readonly db: Db;
  readonly buyer: Member;
  readonly seller: Member;
  readonly admin: Member;
  close(): Promise<void>;
}

/** Opens a shop that is told `env`, a browser and a connection to its database. */
export const openJourney = async (env: Record<string, string> = {}): Promise<Journey> => {
  const [shop, browser] = await Promise.all([openShop({ env }), launchBrowser()]);
  const { db, close } = connect(shop.env['DATABASE_URL'] ?? '', { connections: 1 });
  const [buyer, seller, admin] = (await Promise.all(
    (['Buyer', 'Seller', 'Admin'] as const).map((who) => aMember(browser, shop.url, who, { width: PHONE_PX })),
  )) as [Member, Member, Member];
  return {
    shop,
    browser,
    db,
    buyer,
    seller,
    admin,
    close: async () => {
      await close();
      await browser.close();
      await shop.close();
    },
  };
};
