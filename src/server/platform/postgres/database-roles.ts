import { roleOf } from './app-role.ts';
import { migrate } from './migrate.ts';

/** How the shop reaches its database. */
export interface DatabaseRoles {
  /** As the role that the shop works as. */
  readonly url: string;
  /** As the owner of the tables, for migrations; absent: `url` does both. */
  readonly migrateUrl: string | undefined;
}

/**
 * Brings the database up to this release as its owner, and gives the shop's role what it needs of it and no more; answers the names of
 * the migrations it applied.
 */
export const bringUpToDate = async ({ url, migrateUrl }: DatabaseRoles): Promise<string[]> => {
  if (migrateUrl === undefined) return migrate(url);
  const [role, owner] = await Promise.all([roleOf(url), roleOf(migrateUrl)]);
  return migrate(migrateUrl, role === owner ? {} : { admit: role });
};
