import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer } from '#standins/close-server.ts';
import { createPages } from './http.ts';
import { createSink } from './smtp.ts';
import { openMailStore, type KeptMail } from './store.ts';

export type { KeptMail } from './store.ts';

const LOOPBACK = '127.0.0.1';

export interface MailboxStandin {
  /** Where it takes mail: `smtp://127.0.0.1:port`. */
  readonly smtpUrl: string;
  /**
   * Shows the mails; a prefix it is mounted under must have been taken off `request.url` and stand in
   * x-forwarded-prefix.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** What it has taken, the newest first. */
  mails(): readonly KeptMail[];
  /** Shows the mails on 127.0.0.1 (0 picks a free port) and resolves with the port. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

const portOf = (server: { address(): unknown }): number => {
  const address = server.address();
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port);
  throw new Error('a server that listens has no port');
};

/**
 * Opens a stand-in for a mail server: it takes mail by SMTP on 127.0.0.1, keeps the newest in `file`, shows it on pages
 * and passes nothing on. Throws when the file is in use or the port is not free (`smtpPort` 0, the default, picks one).
 */
export const createMailboxStandin = async (options: {
  file: string;
  smtpPort?: number;
  /** How many of the newest mails it keeps (500). */
  mostKept?: number | undefined;
  log?: (message: string) => void;
}): Promise<MailboxStandin> => {
  const store = openMailStore(options.file, options.mostKept);
  const sink = createSink(store, options.log ?? (() => {}));
  const smtp = sink.server;
  try {
    sink.listen(options.smtpPort ?? 0, LOOPBACK);
    await once(smtp, 'listening');
  } catch (error) {
    await store.close();
    throw error;
  }
  const smtpUrl = `smtp://${LOOPBACK}:${portOf(smtp)}`;
  const handler = createPages(store, () => smtpUrl);
  const servers: Server[] = [];
  return {
    smtpUrl,
    handler,
    mails: () => store.newestFirst(),
    listen: async (port) => {
      const server = createServer(handler).listen(port, LOOPBACK);
      await once(server, 'listening');
      servers.push(server);
      return portOf(server);
    },
    close: async () => {
      await new Promise<void>((resolve) => sink.close(() => resolve()));
      await Promise.all(servers.map(closeServer));
      await store.close();
    },
  };
};
