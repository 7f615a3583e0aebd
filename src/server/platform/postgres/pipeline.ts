import {
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  Transaction,
  type ConnectionProvider,
} from 'kysely';
import { pooled, type Database, type Db, type Trx } from './db.ts';

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

/**
 * A transaction in the driver's pipeline mode: what is asked together (`Promise.all`) is one round trip, in the order
 * in which it is asked, and BEGIN goes with the first of it. `last` is sent with the commit. After a statement that
 * fails all behind it fail, and nothing was done. Never ask together what should only be done where an answer is as
 * expected.
 */
export const pipelineTransaction = async <A>(
  db: Db,
  work: (trx: Trx) => Promise<A>,
  last: (trx: Trx, answer: A) => Promise<unknown> | undefined = () => undefined,
): Promise<A> => {
  const pool = pooled(db)?.pool;
  if (pool === undefined) throw new Error('a transaction cannot begin another');
  const dialect = new PostgresDialect({ pool });
  const driver = dialect.createDriver();
  await driver.init();
  const connection = await driver.acquireConnection();
  let isOpen = true;
  const provider: ConnectionProvider = {
    // Kysely's own transactions let one statement at a time through.
    provideConnection: async (consumer) => {
      if (!isOpen) throw new Error('this transaction is over');
      return consumer(connection);
    },
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, provider);
  const trx: Trx = new Transaction<Database>({ config: { dialect }, dialect, driver, executor });
  try {
    const begun = driver.beginTransaction(connection, {});
    // What was sent with it ran outside of any transaction; nothing follows.
    begun.catch(() => (isOpen = false));
    const answer = await work(trx);
    await begun;
    const sent = last(trx, answer);
    isOpen = false;
    // The commit of what failed is a rollback; the driver throws then, and what failed says why.
    for (const ended of await Promise.allSettled([sent, driver.commitTransaction(connection)]))
      if (ended.status === 'rejected') throw ended.reason;
    return answer;
  } catch (error) {
    isOpen = false;
    // Where that fails, too, the driver gives the connection up.
    await driver.rollbackTransaction(connection).catch(() => {});
    throw error;
  } finally {
    await driver.releaseConnection(connection);
  }
};
