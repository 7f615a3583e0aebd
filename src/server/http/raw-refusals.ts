import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from './headers.ts';

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
export const refuseExpectation =
  (https: boolean): RequestListener =>
  (_request, response) => {
    const { headers, body } = refusalOf(417, 'The request expects something that there is not', https);
    response.writeHead(417, headers).end(body);
  };
