// What PostgreSQL says of the tables in a database: what a backup has to know to save and to fill them.
import type pg from 'pg';

/** As text that stands in a statement as a name. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export interface TableShape {
  readonly name: string;
  /** All that can be written: generated columns are made anew. */
  readonly columns: readonly string[];
}

/** Where migrations keep their own record: it is part of the list, not of the tables. */
const RECORD = 'migrations';

interface Reference {
  readonly table_name: string;
  readonly refers_to: string;
}

/** Orders the tables so that each comes after those it refers to. */
const inFillingOrder = (tables: readonly TableShape[], references: readonly Reference[]): TableShape[] => {
  const left = new Map(tables.map((table) => [table.name, table]));
  const ordered: TableShape[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(
      ({ name }) =>
        !references.some((one) => one.table_name === name && one.refers_to !== name && left.has(one.refers_to)),
    );
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(', ')}`);
    for (const table of ready) left.delete(table.name);
    ordered.push(...ready);
  }
  return ordered;
};

/** Every table of the shop, those first which others refer to. */
export const readTables = async (client: pg.Client): Promise<TableShape[]> => {
  const { rows: tables } = await client.query<TableShape>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
     FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> $1
     GROUP BY c.relname ORDER BY c.relname`,
    [RECORD],
  );
  const { rows: references } = await client.query<Reference>(
    `SELECT DISTINCT conrelid::regclass::text AS table_name, confrelid::regclass::text AS refers_to
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  return inFillingOrder(tables, references);
};

/** The indexes that carry no constraint, each with the statement that makes it: rows go in faster without them. */
export const readPlainIndexes = async (client: pg.Client): Promise<{ name: string; definition: string }[]> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
     ORDER BY c.relname`,
  );
  return rows;
};

/** The sequences with the last number each gave, null for one that gave none. */
export const readSequences = async (client: pg.Client): Promise<{ name: string; last: string | null }[]> => {
  const { rows } = await client.query<{ name: string; last: string | null }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  );
  return rows;
};

/** Names of the migrations the database has, in order; undefined where it has no tables at all. */
export const readMigrations = async (client: pg.Client): Promise<string[] | undefined> => {
  const { rows: found } = await client.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  if (found.length === 0) return undefined;
  if (!found.some(({ relname }) => relname === RECORD)) return [];
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${RECORD} ORDER BY name`);
  return rows.map(({ name }) => name);
};
