import type { Manifest } from '#server/platform/backup/manifest.ts';

const count = (number: number): string => number.toLocaleString('en-US');

/** What a backup holds, for a person. */
export const backupLines = ({ takenAt, postgres, tables, migrations }: Manifest): string[] => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const megabytes = tables.reduce((sum, table) => sum + table.size, 0) / 1e6;
  return [
    `The shop as of ${takenAt}: ${count(rows)} rows in ${tables.length} tables, ${megabytes.toFixed(1)} MB compressed ` +
      `(PostgreSQL ${postgres}, ${migrations.at(-1) ?? ''}).`,
  ];
};
