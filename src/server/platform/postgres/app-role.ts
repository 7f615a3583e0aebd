import type pg from 'pg';
import { withClient } from './with-client.ts';

/** The role that the shop itself works as on the embedded server; its owner only migrates. */
export const APP_ROLE = 'dogear_app';

/** The same database for another role. */
export const asRole = (url: string, role: string): string => {
  const changed = new URL(url);
  changed.username = role;
  return changed.href;
};

/** Makes the shop's role on a server of our own. */
export const ensureRole = async (client: pg.Client, role: string): Promise<void> => {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount !== 0) return;
  await client.query(`CREATE ROLE ${client.escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`);
};

/** The bits of pg_trigger.tgtype. */
const ON_DELETE = 8;
const ON_UPDATE = 16;
/** From this version on VACUUM and ANALYZE can be granted; before, autovacuum alone does them. */
const GRANTS_MAINTAIN = 170_000;

/** Tables that the shop only reads: what migrations write, and the clock, which a function moves. */
const READ_ONLY = ['migrations', 'shop_clock'];

interface TableToOpen {
  readonly name: string;
  readonly keepsRows: boolean;
  readonly keepsValues: boolean;
}

/** Every table; what its own triggers refuse (`refuse_change`) is not granted either. */
const tablesOf = async (client: pg.Client): Promise<TableToOpen[]> => {
  const { rows } = await client.query<TableToOpen>(
    `SELECT c.relname AS name,
            coalesce(bool_or(t.tgtype & ${ON_DELETE} <> 0), false) AS "keepsRows",
            coalesce(bool_or(t.tgtype & ${ON_UPDATE} <> 0), false) AS "keepsValues"
       FROM pg_class c
       LEFT JOIN pg_trigger t ON t.tgrelid = c.oid AND t.tgfoid = to_regproc('refuse_change')
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      GROUP BY c.relname ORDER BY c.relname`,
  );
  return rows;
};

const rightsOn = ({ name, keepsRows, keepsValues }: TableToOpen, version: number): string[] => {
  if (READ_ONLY.includes(name)) return ['SELECT'];
  const rights = ['SELECT', 'INSERT'];
  if (!keepsValues) rights.push('UPDATE');
  if (!keepsRows) rights.push('DELETE');
  if (version >= GRANTS_MAINTAIN) rights.push('MAINTAIN');
  return rights;
};

const serverVersion = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::integer AS version`,
  );
  return rows[0]?.version ?? 0;
};

/**
 * Gives `role` the rows of every table and nothing of the tables themselves: no new ones, no changed ones, and what is
 * append-only it may only append to. `client` is the owner's, and holds the lock of the migrations, so that no two
 * processes do this at once.
 */
export const admitRole = async (client: pg.Client, role: string): Promise<void> => {
  const name = client.escapeIdentifier(role);
  const version = await serverVersion(client);
  const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database');
  const database = client.escapeIdentifier(rows[0]?.database ?? '');
  const grants = (await tablesOf(client)).map(
    (table) =>
      `GRANT ${rightsOn(table, version).join(', ')} ON TABLE ${client.escapeIdentifier(table.name)} TO ${name}`,
  );
  // Several statements in one message are one transaction.
  await client.query(
    [
      // Before PostgreSQL 15 databases let everybody make tables, and databases that are older than their server still
      // do.
      'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
      `REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${name}`,
      `GRANT CONNECT ON DATABASE ${database} TO ${name}`,
      `REVOKE ALL ON SCHEMA public FROM ${name}`,
      `GRANT USAGE ON SCHEMA public TO ${name}`,
      `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${name}`,
      ...grants,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}`,
    ].join(';\n'),
  );
};

const ask = (url: string, question: string): Promise<string> =>
  withClient(url, { name: 'start' }, async (client) => {
    const { rows } = await client.query<{ answer: string }>(question);
    return rows[0]?.answer ?? '';
  });

/** The role that a connection string logs in as. */
export const roleOf = (url: string): Promise<string> => ask(url, 'SELECT current_user AS answer');

/**
 * Whether the role of `url` could change the tables it works on: it owns one, may make some, or is above such
 * questions.
 */
export const mayChangeTables = async (url: string): Promise<boolean> => {
  const answer = await ask(
    url,
    `SELECT CASE WHEN (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
                   OR has_schema_privilege('public', 'CREATE')
                   OR EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace
                               AND pg_has_role(current_user, relowner, 'USAGE'))
                 THEN 'yes' ELSE 'no' END AS answer`,
  );
  return answer === 'yes';
};
