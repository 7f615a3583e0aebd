import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serversOf } from '#test/databases/database-owner.ts';
import { createTestDatabase } from '#test/database.ts';
import { withDatabase } from './access.ts';
import { startEmbeddedPostgres } from '#server/platform/demo/embedded-postgres.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dogear-access-'));
  // Run as root, the server belongs to another user, who must pass through.
  await chmod(folder, 0o711);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const silent = (): void => {};

describe('a tool that needs the database', () => {
  it('uses DATABASE_URL when there is one', async () => {
    const database = await createTestDatabase();
    const categories = await withDatabase({ databaseUrl: database.url, dataDir: folder }, silent, (db) =>
      db.selectFrom('categories').selectAll().execute(),
    );
    expect(categories).toEqual([]);
    expect(serversOf(folder)).toEqual([]);
    await database.drop();
  });

  it('starts the embedded one where the shop is closed, brings it up to date, and stops it even when the work fails', async () => {
    const config = { databaseUrl: undefined, dataDir: path.join(folder, 'data') };
    const tables = await withDatabase(config, silent, (db) => db.introspection.getTables());
    expect(tables.map((table) => table.name)).toContain('listings');
    expect(serversOf(folder)).toEqual([]);
    const failing = withDatabase(config, silent, async () => {
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(serversOf(folder)).toEqual([]);
  });

  it('reaches the embedded one of a running shop and leaves it running', async () => {
    const dataDir = path.join(folder, 'data');
    const shop = await startEmbeddedPostgres({ dataDir, log: silent });
    try {
      await withDatabase({ databaseUrl: undefined, dataDir }, silent, async (db) => {
        expect((await db.introspection.getTables()).map(({ name }) => name)).toContain('listings');
      });
      expect(serversOf(folder)).toHaveLength(1);
    } finally {
      await shop.stop();
    }
  });
});
