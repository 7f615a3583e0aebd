import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuseExpectation } from './raw-refusals.ts';

const SERVER_OPTIONS = {
  requestTimeout: 30_000,
  // Who opens a connection and says nothing, or its headers letter by letter, is cut off after this.
  headersTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  // Longer than proxies keep a connection to us open without a request.
  keepAliveTimeout: 72_000,
  // A request without a host is refused by us, with our headers (headers.ts).
  requireHostHeader: false,
} as const;
/**
 * A connection on which nothing moves for this long while an answer waits is cut off: who does not read keeps it in our
 * memory.
 */
const STALLED_MS = 60_000;
/**
 * Requests on one connection whose answers are not sent yet. Browsers send one at a time; each of these costs memory
 * until it is read.
 */
const MOST_UNDER_WAY = 20;
/** Requests in flight have this long to end when a process closes (R1). */
const DRAIN_LIMIT_MS = 10_000;
const POLL_MS = 25;

/** What a process listens with: a server for each address. */
export const createServers = (https: boolean) => {
  const servers: Server[] = [];
  const underWay = new WeakMap<Socket, number>();
  let isDraining = false;

  const bounded =
    (next: RequestListener): RequestListener =>
    (request, response) => {
      const { socket } = request;
      const count = (underWay.get(socket) ?? 0) + 1;
      if (count > MOST_UNDER_WAY) socket.destroy();
      // Also what came in one go with the request that was one too many.
      if (socket.destroyed) return;
      underWay.set(socket, count);
      response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
      if (isDraining) response.setHeader('connection', 'close');
      next(request, response);
    };

  const countConnections = async (): Promise<number> => {
    const counts = servers.map((server) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      server.getConnections((_error, count) => resolve(count));
      return promise;
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };

  return {
    /** A server whose connections are bounded, for Fastify. */
    open: (listener: RequestListener): Server => {
      const server = createServer(SERVER_OPTIONS, bounded(listener));
      // Node minds how much is left to write: a slow reader who does read is no stalled one.
      server.timeout = STALLED_MS;
      server.on('checkExpectation', refuseExpectation(https));
      servers.push(server);
      return server;
    },
    /**
     * Says on each answer that it is the last of its connection. After `lingerMs`, or once there is no connection,
     * nobody new is let in and connections on which nobody asks anything are closed; whatever is left after 10 s is cut
     * off.
     */
    drain: async (lingerMs: number): Promise<void> => {
      isDraining = true;
      const began = performance.now();
      while ((await countConnections()) > 0 && performance.now() - began < DRAIN_LIMIT_MS) {
        // Closes idle connections, too.
        if (performance.now() - began >= lingerMs) for (const server of servers) server.close();
        await sleep(POLL_MS);
      }
      for (const server of servers) server.close().closeAllConnections();
    },
  };
};

export type Servers = ReturnType<typeof createServers>;
