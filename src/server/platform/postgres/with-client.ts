import pg from 'pg';

/**
 * Works on a connection of its own, which is closed whatever happens. `name` is what the database's operator sees;
 * opening it may take `connectMs`, without which it may take as long as it takes.
 */
export const withClient = async <A>(
  url: string,
  { name, connectMs }: { readonly name: string; readonly connectMs?: number },
  work: (client: pg.Client) => Promise<A>,
): Promise<A> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: `dogear ${name}`,
    ...(connectMs !== undefined && { connectionTimeoutMillis: connectMs }),
  });
  // A server that goes away between two statements would end this process; the next statement tells of it, too.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
