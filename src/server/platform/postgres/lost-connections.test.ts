import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#test/database.ts';
import { listenForNotify } from './notify-listener.ts';
import { withClient } from './with-client.ts';

test('a listener that is stopped while its connection opens stops', async () => {
  const silent = new Set<Socket>();
  const server = createServer((socket) => void silent.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const listener = listenForNotify(`postgres://nobody@127.0.0.1:${port}/nothing`, {
    onNotify: { catalogue: () => {} },
    onGap: () => {},
  });
  await once(server, 'connection');
  const stopping = listener.stop();
  for (const socket of silent) socket.destroy();
  await stopping;
  expect(listener.isCurrent()).toBe(false);
  server.close();
});

test('a connection that is cut between two statements is told of by the next', async () => {
  const database = await createTestDatabase();
  try {
    const work = withClient(database.url, { name: 'test' }, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const gone = new Promise<void>((resolve) => void client.once('end', resolve));
      await withClient(database.url, { name: 'test' }, (other) =>
        other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]),
      );
      await gone;
      return client.query('SELECT 1');
    });
    await expect(work).rejects.toThrow(/terminat|not queryable/);
  } finally {
    await database.drop();
  }
});
