import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A connection on which nothing moves for this long while an answer waits is cut off: who does not read keeps what they asked for in our memory. */
const STALLED_MS = 60_000;
/** Requests on one connection whose answers are not sent yet. Browsers send one at a time; each of these costs memory until it is read. */
const MOST_UNDER_WAY = 20;

/** Bounds what one connection may ask for without reading it. */
export const boundConnections = (app: FastifyInstance, server: Server): void => {
  const underWay = new WeakMap<Socket, number>();
  // Node minds how much is left to write: a slow reader who does read is no stalled one.
  server.timeout = STALLED_MS;
  server.prependListener('request', ({ socket }, response) => {
    const count = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, count);
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
    if (count > MOST_UNDER_WAY) socket.destroy();
  });
  // What came in one go with the request that was one too many.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.raw.socket.destroyed) return void reply.hijack();
    return done();
  });
};
