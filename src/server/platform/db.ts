import { Kysely, PostgresDialect, type Generated, type Transaction } from 'kysely';
import pg from 'pg';
import type { AuditEntriesTable } from '#server/audit/audit.table.ts';
import type {
  BookingsTable,
  HoldsTable,
  IdempotencyKeysTable,
  LinePlacesTable,
} from '#server/bookings/bookings.table.ts';
import type { CategoriesTable, ListingsTable } from '#server/catalog/catalog.table.ts';
import type {
  DeparturesTable,
  DevicesTable,
  PasskeyChallengesTable,
  PasskeysTable,
  RecoveryCodesTable,
} from '#server/identity/account.table.ts';
import type {
  AccountLinksTable,
  AttemptCountersTable,
  ResetRequestsTable,
  SessionsTable,
  SigningKeysTable,
  UsersTable,
} from '#server/identity/identity.table.ts';
import type { SignInFlowsTable, SignInIdentitiesTable } from '#server/identity/social/social.table.ts';
import type { LedgerEntriesTable, LedgerTransactionsTable } from '#server/ledger/ledger.table.ts';
import type { OutboxTable } from '#server/mail/mail.table.ts';
import type {
  DisputesTable,
  MoneyDifferencesTable,
  PaymentFailuresTable,
  PaymentIntentsTable,
  PaymentsTable,
  ProviderEventsTable,
  ReconcileRunsTable,
  RefundsTable,
} from '#server/payments/payments.table.ts';

export interface Database {
  users: UsersTable;
  sessions: SessionsTable;
  signing_keys: SigningKeysTable;
  attempt_counters: AttemptCountersTable;
  account_links: AccountLinksTable;
  reset_requests: ResetRequestsTable;
  sign_in_identities: SignInIdentitiesTable;
  sign_in_flows: SignInFlowsTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  recovery_codes: RecoveryCodesTable;
  devices: DevicesTable;
  departures: DeparturesTable;
  categories: CategoriesTable;
  listings: ListingsTable;
  bookings: BookingsTable;
  holds: HoldsTable;
  line_places: LinePlacesTable;
  idempotency_keys: IdempotencyKeysTable;
  payment_intents: PaymentIntentsTable;
  payments: PaymentsTable;
  provider_events: ProviderEventsTable;
  refunds: RefundsTable;
  payment_failures: PaymentFailuresTable;
  disputes: DisputesTable;
  money_differences: MoneyDifferencesTable;
  reconcile_runs: ReconcileRunsTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  audit_entries: AuditEntriesTable;
  outbox: OutboxTable;
  shop: { one: Generated<boolean>; demo: boolean; seeded_at: Date | null };
}

/** The database, inside a transaction or not. */
export type Db = Kysely<Database>;
/** The database inside a transaction: asked for where several statements must stand or fall together. */
export type Trx = Transaction<Database>;

/** Statements of a request are cut off here (safety R3); import, seed and migrations bring their own connection. */
const STATEMENT_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUT_MS = 1_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;

export interface Connection {
  readonly db: Db;
  close(): Promise<void>;
}

/** Opens a pool of at most `connections` on a PostgreSQL connection string. */
export const connect = (
  url: string,
  options: { connections?: number; timeouts?: boolean; onError?: (error: Error) => void } = {},
): Connection => {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'dogear',
    ...(options.timeouts !== false && {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  });
  // An idle connection that breaks must not take the process with it; the next request opens another.
  pool.on('error', (error) => options.onError?.(error));
  // Nor one that breaks while it is in use, between two statements: the pool listens only while a connection is idle.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, close: () => db.destroy() };
};

const code = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Whether `error` means that the database cannot be reached or is going away, so that trying again soon makes sense. */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  // 08: connection exception, 57P: operator intervention (shutdown, crash, starting up), 53300: too many connections
  if (/^(08|57P|53300)/.test(code(error))) return true;
  if (/^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/.test(code(error))) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    error.message,
  );
};

/** Whether `error` means that this database cannot be used as it is configured: unreachable, unknown, not let in, too old. */
export const isUnusable = (error: unknown): boolean =>
  // 28: not let in, 3D: no such database, 42501: may not make tables, 0A: a feature this server lacks
  isUnavailable(error) || /^(28|3D|42501|0A|ENOTFOUND|EAI_|EHOSTUNREACH|ERR_INVALID_URL)/.test(code(error));

/** Whether `error` is the violation of the unique constraint or index `name`. */
export const isDuplicate = (error: unknown, name: string): boolean =>
  code(error) === '23505' && error instanceof Error && 'constraint' in error && error.constraint === name;

/** Whether `error` is a lock that could not be had in time, a deadlock or a serialization failure. */
export const isContention = (error: unknown): boolean => /^(55P03|40P01|40001)$/.test(code(error));
