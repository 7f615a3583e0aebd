import type { Server } from 'node:http';

/** What is being answered may end; a client that has not asked yet, or reads no more, is not waited for. */
const GRACE_MS = 500;

/** Stops listening, lets what is being answered end, and resolves when every connection is gone, within a second. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MS);
    server.close(() => {
      clearTimeout(cutOff);
      resolve();
    });
    server.closeIdleConnections();
  });
