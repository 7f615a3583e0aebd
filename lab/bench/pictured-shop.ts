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

/** Opens it once its sample photos are made and every copy has one of them. */
export const openPicturedShop = async (): Promise<DemoShop> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dogear-pictured-'));
  // Run as root, the server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, 'data'), log: () => {} });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const shop = await openDemoShop({ DATABASE_URL: server.url, DEMO_PHOTOS: '1' }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const client = new pg.Client(server.url);
  await client.connect();
  for (let last = 0, quiet = 0; quiet < QUIET_LOOKS;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    const count = (await client.query<{ count: number }>(PICTURED)).rows[0]?.count ?? 0;
    quiet = count > 0 && count === last ? quiet + 1 : 0;
    last = count;
  }
  await client.query(await readFile(GIVE_EACH_ONE, 'utf8'));
  const all = (await client.query<{ count: number }>(PICTURED)).rows[0]?.count;
  await client.end();
  console.log(`${all} copies, each with a photo\n`);
  return {
    ...shop,
    close: async () => {
      await shop.close();
      await stop();
    },
  };
};
