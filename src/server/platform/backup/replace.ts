import pg from 'pg';
import { BackupError, type Manifest } from './manifest.ts';
import { restoreBackup, type RestoreOptions } from './restore.ts';
import { quoted, readMigrations } from './shape.ts';

const IN_USE = '55006';

const on = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'dogear restore' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const withName = (url: string, name: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
};

const renamed = async (client: pg.Client, from: string, to: string): Promise<void> => {
  try {
    await client.query(`ALTER DATABASE ${quoted(from)} RENAME TO ${quoted(to)}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== IN_USE) throw error;
    throw new BackupError(`The database ${from} is in use by another program: end it, and restore again.`);
  }
};

/** `dogear_before_20261121115030`: when it was put aside, in UTC. */
const asideName = (name: string, now: Date): string =>
  `${name}_before_${now.toISOString().replaceAll(/\D/g, '').slice(0, 14)}`;

/**
 * Restores a backup beside the database of `url`, lets `check` look at it, and only then gives it that database's name. The
 * former one stays, under the name that is answered, unless it was empty. The role of `url` must be allowed to make databases.
 */
export const replaceDatabase = async (
  options: RestoreOptions & { readonly check: (url: string) => Promise<void> },
): Promise<{ manifest: Manifest; aside: string | undefined }> => {
  const name = decodeURIComponent(new URL(options.url).pathname.slice(1));
  const fresh = `${name}_restore`;
  const admin = withName(options.url, 'postgres');
  await on(admin, async (client) => {
    // Left by a restore that did not come to its end.
    await client.query(`DROP DATABASE IF EXISTS ${quoted(fresh)}`);
    await client.query(`CREATE DATABASE ${quoted(fresh)}`);
  });
  try {
    const url = withName(options.url, fresh);
    const manifest = await restoreBackup({ ...options, url });
    await options.check(url);
    const isEmpty = (await on(options.url, readMigrations)) === undefined;
    const aside = isEmpty ? undefined : asideName(name, new Date());
    await on(admin, async (client) => {
      if (aside === undefined) await client.query(`DROP DATABASE ${quoted(name)}`);
      else await renamed(client, name, aside);
      await renamed(client, fresh, name);
    });
    return { manifest, aside };
  } catch (error) {
    await on(admin, (client) => client.query(`DROP DATABASE IF EXISTS ${quoted(fresh)}`)).catch(() => {});
    throw error;
  }
};
