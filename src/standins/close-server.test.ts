import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { closeServer } from './close-server.ts';

const listening = async (server: ReturnType<typeof createServer>): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

test('a client that has connected and asks nothing does not keep a stand-in open', async () => {
  const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => response.end());
  const accepted = once(server, 'connection');
  const client = connect(await listening(server), '127.0.0.1');
  const gone = once(client, 'close');
  await accepted;
  await closeServer(server);
  await gone;
  expect(server.listening).toBe(false);
}, 10_000);

test('what is being answered when a stand-in closes is answered', async () => {
  let answer = (): void => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = createServer({ keepAliveTimeout: 65_000 }, (_request, response) => {
    answer();
    setImmediate(() => response.end('done'));
  });
  const answered = fetch(`http://127.0.0.1:${await listening(server)}`);
  await asked;
  const closed = closeServer(server);
  expect(await (await answered).text()).toBe('done');
  await closed;
}, 10_000);
