import { createServer } from 'node:net';
import { Refusal } from './refusal.mjs';

const DEFAULT_PORT = 3000;
const LAST_PORT = 65_535;
/** A name or a number: `localhost` may mean either family. */
const ADDRESSES = ['127.0.0.1', '::1'];

const tryToListen = (host, port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });

/** Refuses a PORT that is no port, is taken or is not ours to take, before anything slow begins. */
export const checkPort = async () => {
  const text = process.env.PORT?.trim() || String(DEFAULT_PORT);
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > LAST_PORT) {
    throw new Refusal(`PORT is "${text}", but must be a whole number from 1 to ${LAST_PORT}.`);
  }
  for (const host of ADDRESSES) {
    const problem = await tryToListen(host, port);
    if (problem === 'EADDRINUSE') {
      throw new Refusal(
        `Port ${port} is in use, by another program or by a Dogear that is already running: ` +
          `stop that, or choose another port (PORT=${port === LAST_PORT ? port - 1 : port + 1} npm start).`,
      );
    }
    if (problem === 'EACCES') throw new Refusal(`This user may not listen on port ${port}: choose one above 1023.`);
  }
};
