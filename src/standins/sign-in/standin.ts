import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeServer } from '#standins/close-server.ts';
import { read, type Asking } from './asking.ts';
import { SLOW_MS } from './exchange.ts';
import { createGithub } from './github.ts';
import { createGoogle } from './google.ts';
import { createGrants } from './grants.ts';
import { homePage, pagePolicy } from './page.ts';
import { plain, type Reply } from './reply.ts';

const SHARED_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export interface SignInStandinOptions {
  /** Origins of shops, beside those on this machine, that people are sent back to. */
  origins?: readonly string[];
  /** How long a slow service takes; longer than a shop waits by default. */
  slowMs?: number;
  /** Told of inner failures; never of codes or tokens. */
  log?: (message: string) => void;
}

export interface SignInStandin {
  /** Answers `/`, `/google/…` and `/github/…`; a prefix it is mounted under must have been taken off `request.url`. */
  handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Listens on 127.0.0.1 (0 picks a free port) and resolves with the port. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens a stand-in for Google and Github. It keeps nothing. */
export function createSignInStandin(options: SignInStandinOptions = {}): SignInStandin {
  const log = options.log ?? (() => {});
  const closing = new AbortController();
  const shared = { origins: options.origins ?? [], slowMs: options.slowMs ?? SLOW_MS, closing: closing.signal };
  // Each service its own codes and tokens: what one gave opens nothing at the other.
  const services = new Map([
    ['google', createGoogle({ ...shared, grants: createGrants() })],
    ['github', createGithub({ ...shared, grants: createGrants() })],
  ]);

  async function answer(asking: Asking): Promise<Reply> {
    if (asking.path === '/' && asking.method === 'GET') {
      const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': pagePolicy() };
      return { status: 200, headers, body: homePage() };
    }
    const [, name = ''] = asking.path.split('/', 2);
    const service = services.get(name);
    const told = await service?.({ ...asking, path: asking.path.slice(name.length + 1) });
    return told ?? plain(404, 'Not found.');
  }

  function handler(request: IncomingMessage, response: ServerResponse): void {
    read(request)
      .then((asking) => (typeof asking === 'string' ? plain(400, asking, { Connection: 'close' }) : answer(asking)))
      .catch((error: unknown) => {
        if (!request.destroyed) log(`The sign-in stand-in failed: ${error instanceof Error ? error.stack : 'unknown'}`);
        return plain(500, 'The sign-in stand-in failed.');
      })
      .then(({ status, headers, body }) => {
        if (response.destroyed || response.headersSent) return;
        const bytes = Buffer.from(body);
        response.writeHead(status, { ...SHARED_HEADERS, ...headers, 'Content-Length': String(bytes.length) });
        response.end(request.method === 'HEAD' ? undefined : bytes);
        // An unread body would be taken for the next request on this connection.
        if (!request.complete) request.resume();
      })
      .catch((error: unknown) => {
        log(`The sign-in stand-in could not answer: ${String(error)}`);
        response.destroy();
      });
  }

  const servers: Server[] = [];
  return {
    handler,
    listen: (port) =>
      new Promise((resolve, reject) => {
        const server = createServer(handler);
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
          servers.push(server);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    async close() {
      closing.abort();
      await Promise.all(servers.map(closeServer));
    },
  };
}
