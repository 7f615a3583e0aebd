// A client that sends any bytes it likes.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawClient {
  readonly socket: Socket;
  write(text: string): void;
  /** Everything that came so far. */
  received(): string;
  /** Everything that came, once the other side has closed. */
  readonly closed: Promise<string>;
  end(): void;
}

/** Connects to `url`; a connection that is cut off counts as closed. */
export const rawClient = async (url: string): Promise<RawClient> => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
  await once(socket, 'connect');
  return {
    socket,
    write: (bytes) => void socket.write(bytes, 'latin1'),
    received: () => text,
    closed,
    end: () => socket.destroy(),
  };
};

/** Sends `bytes` at once and answers what came back until the other side closed. */
export const exchange = async (url: string, bytes: string): Promise<string> => {
  const client = await rawClient(url);
  client.write(bytes);
  return client.closed;
};

/** The statuses of the answers in what came over a connection. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));
