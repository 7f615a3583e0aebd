import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { connect, isUnavailable, type Connection } from './db.ts';

let database: TestDatabase;
let connection: Connection;

afterEach(async () => {
  await connection.close();
  await database.drop();
});

test('a connection that breaks between two statements is an outage, not the end of the process', async () => {
  database = await createTestDatabase();
  const told: Error[] = [];
  connection = connect(database.url, { onError: (error) => void told.push(error) });
  const { db } = connection;
  await db.connection().execute(async (one) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(one);
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    await expect.poll(() => told.length).toBeGreaterThan(0);
    await expect(sql`SELECT 1`.execute(one)).rejects.toSatisfy(isUnavailable);
  });
  await expect(sql`SELECT 1`.execute(db)).resolves.toBeDefined();
});
