// A demo shop with a photo on every card, for measuring pages as heavy as they get.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';
import { openDemoShop, type DemoShop } from './demo-shop.ts';

const GIVE_EACH_ONE = path.join(import.meta.dirname, 'photos-on-every-card.sql');
const PICTURED =
  "SELECT count(*)::integer AS count FROM listings WHERE length(image_url) = 22 AND status <> 'withdrawn'";
const LOOK_AGAIN_MS = 2_000;
/** For so many looks no further sample photo has come: all are made. */
const QUIET_LOOKS = 3;

const countPictured = async (client: pg.Client): Promise<number> =>
  (await client.query<{ count: number }>(PICTURED)).rows[0]?.count ?? 0;

export interface PhotoShop extends DemoShop {
  /**
   * Gives every copy one of the sample photos, and before that moves copies into `category` until it has `count`; says
   * how many have a photo.
   */
  giveEachOne(category?: { readonly id: string; readonly count: number }): Promise<number>;
}

const FILL = `
  UPDATE listings SET category_id = $1
  WHERE id IN (
    SELECT id FROM listings WHERE status = 'available' AND category_id <> $1 ORDER BY id
    LIMIT greatest(0, $2 - (SELECT count(*) FROM listings WHERE status <> 'withdrawn' AND category_id = $1)))`;

/** Opens one, told `env`, on a database of its own, once its sample photos are made: a third of the copies have one. */
export const openPhotoShop = async (env: Record<string, string> = {}): Promise<PhotoShop> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-pictured-'));
  // Run as root, the server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data'), log: () => {} });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const shop = await openDemoShop({ DATABASE_URL: server.url, DEMO_PHOTOS: '1', ...env }).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  const withDatabase = async <Answer>(work: (client: pg.Client) => Promise<Answer>): Promise<Answer> => {
    const client = new pg.Client(server.url);
    await client.connect();
    return work(client).finally(() => client.end());
  };
  await withDatabase(async (client) => {
    for (let last = 0, quiet = 0; quiet < QUIET_LOOKS;) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      const count = await countPictured(client);
      quiet = count > 0 && count === last ? quiet + 1 : 0;
      last = count;
    }
  });
  return {
    ...shop,
    giveEachOne: (category) =>
      withDatabase(async (client) => {
        if (category !== undefined) await client.query(FILL, [category.id, category.count]);
        await client.query(await readFile(GIVE_EACH_ONE, 'utf8'));
        return countPictured(client);
      }),
    close: async () => {
      await shop.close();
      await stop();
    },
  };
};

/** Opens it once every copy has a photo. */
export const openPicturedShop = async (): Promise<DemoShop> => {
  const shop = await openPhotoShop();
  console.log(`${await shop.giveEachOne()} copies, each with a photo\n`);
  return shop;
};
