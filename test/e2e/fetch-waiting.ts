import path from 'node:path';
import { expect, vi } from 'vitest';
import { fetchDuePicture } from '#server/catalog/photos/fetching/listing-pictures.service.ts';
import { fetchDuePortrait } from '#server/catalog/photos/fetching/portraits.service.ts';
import { createPhotoMaker } from '#server/catalog/photos/making/maker.ts';
import { createPhotoStore } from '#server/catalog/photos/store/photo-store.ts';
import { connect } from '#server/platform/postgres/db.ts';
import type { RunningShop } from './shop.ts';

const LIMIT_MS = 20_000;

/**
 * Has a shop whose way out is blocked do what it does where there is one: the pictures of copies and users that wait
 * are fetched, each from a host that answers `picture`.
 */
export const fetchWaiting = async ({ env }: RunningShop, picture: Uint8Array): Promise<void> => {
  const { db, close } = connect(env['DATABASE_URL'] ?? '', { connections: 3 });
  const maker = createPhotoMaker();
  const deps = {
    db,
    store: createPhotoStore({ folder: path.join(env['DATA_DIR'] ?? '', 'photos') }),
    maker,
    fetch: () => Promise.resolve({ bytes: picture }),
    onGivenUp: (_: unknown, why: string): never => {
      throw new Error(why);
    },
  };
  const tables = ['picture_fetches', 'portrait_fetches'] as const;
  try {
    // The shop looks, too, finds nobody and puts the host off: it is due again at once.
    await vi.waitFor(
      async () => {
        for (const table of tables) {
          await db
            .updateTable(table)
            .set({ next_try_at: new Date(0), tries: 0 })
            .execute();
        }
        await fetchDuePicture(deps);
        await fetchDuePortrait(deps);
        const waiting = await Promise.all(tables.map((table) => db.selectFrom(table).select('host').execute()));
        expect(waiting.flat()).toEqual([]);
      },
      { timeout: LIMIT_MS },
    );
  } finally {
    await maker.close();
    await close();
  }
};
