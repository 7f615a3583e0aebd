import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/platform/errors.ts';

const SERVER_OPTIONS = {
  requestTimeout: 30_000,
  // Who opens a connection and says nothing, or its headers letter by letter, is cut off after this.
  headersTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  // Longer than proxies keep a connection to us open without a request.
  keepAliveTimeout: 72_000,
  // A request without a host is refused by us, with our headers.
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

/** Nothing in an answer that is no page is run, shown in a frame or loaded from. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Two years, as browsers' preload lists ask. */
const HSTS = 'max-age=63072000; includeSubDomains';

const features = (payment: string, camera = ''): string =>
  `accelerometer=(), camera=(${camera}), geolocation=(), gyroscope=(), microphone=(), payment=(${payment}), usb=()`;

/** On the payment page, where the provider's own fields and wallets ask for payments. */
export const PAYMENT_FEATURES = features('self "https://js.stripe.com"');

/** On the form of a listing, where barcodes are scanned. */
export const SCANNING_FEATURES = features('self', 'self');

/**
 * The headers of every answer, whoever writes it; pages and the API's readable page put their own policy over the
 * closed one.
 */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  // What no page of the shop asks for.
  'permissions-policy': features('self'),
  'content-security-policy': CLOSED_POLICY,
  'x-frame-options': 'DENY',
  ...(https && { 'strict-transport-security': HSTS }),
});

/** Puts the headers of every answer on those that Fastify gives. */
export const addSecurityHeaders = (app: FastifyInstance, https: boolean): void => {
  const headers = securityHeaders(https);
  // Nothing is waited for: a promise for each hook of each request would cost more than the hook.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0')
      throw new AppError('bad_request', 'The request does not say which host it is for');
    done();
  });
};

const REFUSALS: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
};

/** The usual error body under the usual headers, for what no route sees. */
const refusalOf = (status: number, message: string, https: boolean) => {
  const code = status === 431 ? 'too_large' : 'bad_request';
  const body = JSON.stringify({ error: { code, message, requestId: randomUUID() } });
  const headers = {
    ...securityHeaders(https),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  };
  return { headers, body };
};

/** What a socket is told whose bytes are no request, or do not come; then it is closed. */
export const clientErrorHandler = (https: boolean) =>
  function answer(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
    // A reset connection hears nothing any more.
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    this.log.debug({ code: error.code }, 'a request could not be read');
    const [status, message] = REFUSALS[error.code ?? ''] ?? [400, 'The request could not be read'];
    const { headers, body } = refusalOf(status, message, https);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    socket.destroy();
  };

/** Node answers an `Expect` it does not know before anything of ours sees the request, and without headers. */
const refuseExpectation =
  (https: boolean): RequestListener =>
  (_request, response) => {
    const { headers, body } = refusalOf(417, 'The request expects something that there is not', https);
    response.writeHead(417, headers).end(body);
  };

/** What a process listens with: a server for each address. */
export const createServers = (https: boolean) => {
  const servers: Server[] = [];
  /** Open connections, with how many of their requests are not answered yet. */
  const underWay = new Map<Socket, number>();
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
      response.once('close', () => underWay.has(socket) && underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
      if (isDraining) response.setHeader('connection', 'close');
      next(request, response);
    };

  return {
    /** A server whose connections are bounded, for Fastify. */
    open: (listener: RequestListener): Server => {
      const server = createServer(SERVER_OPTIONS, bounded(listener));
      // Node minds how much is left to write: a slow reader who does read is no stalled one.
      server.timeout = STALLED_MS;
      server.on('checkExpectation', refuseExpectation(https));
      server.on('connection', (socket: Socket) => {
        underWay.set(socket, 0);
        socket.once('close', () => underWay.delete(socket));
      });
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
      while (underWay.size > 0 && performance.now() - began < DRAIN_LIMIT_MS) {
        // Closes idle connections, too.
        if (performance.now() - began >= lingerMs) for (const server of servers) server.close();
        await sleep(POLL_MS);
      }
      for (const server of servers) server.close().closeAllConnections();
    },
  };
};

export type Servers = ReturnType<typeof createServers>;
