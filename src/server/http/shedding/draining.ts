import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Requests in flight have this long to end when a process closes (R1). */
const CLOSING_LIMIT_MS = 10_000;
/** How often it is looked whether everybody has left. */
const LOOK_MS = 25;

/** What a process listens with. */
export interface Doors {
  /** Takes note of a server's connections; every server of the process, before it listens. */
  watch(server: Server): void;
  /**
   * Lets nobody new in, answers what comes over connections that are open and says on each answer that it is the last one there. Connections on which nobody
   * asks anything are closed after `lingerMs`, whatever is left after 10 s.
   */
  drain(lingerMs: number): Promise<void>;
}

export const createDoors = (): Doors => {
  const servers: Server[] = [];
  /** Each connection with the last answer that was begun on it. No set of answers: one that changes with every request keeps them all in memory for long. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  let isDraining = false;

  /** Node then writes `Connection: close`, so that whoever asks knows to open another connection before the next request. */
  const makeLast = (response: ServerResponse): void => {
    if (!response.headersSent) response.shouldKeepAlive = false;
  };

  const note = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (isDraining) return makeLast(response);
    if (connections.has(socket)) connections.set(socket, response);
  };

  return {
    watch: (server) => {
      servers.push(server);
      server.on('connection', (socket) => {
        connections.set(socket, undefined);
        socket.once('close', () => connections.delete(socket));
      });
      server.prependListener('request', note);
    },
    drain: async (lingerMs) => {
      isDraining = true;
      for (const response of connections.values()) if (response !== undefined) makeLast(response);
      // Not the server's own `close`: that one closes idle connections at once, and with them whatever is just being asked there.
      for (const server of servers) if (server.listening) TcpServer.prototype.close.call(server);
      const began = performance.now();
      while (connections.size > 0 && performance.now() - began < CLOSING_LIMIT_MS) {
        if (performance.now() - began >= lingerMs) for (const server of servers) server.closeIdleConnections();
        await sleep(LOOK_MS);
      }
      for (const server of servers) server.closeAllConnections();
    },
  };
};
