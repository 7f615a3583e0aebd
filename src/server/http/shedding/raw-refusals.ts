import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#server/platform/errors.ts';
import { securityHeaders } from '#server/http/pages/security-headers.ts';

/** Node leaves it to us (`requireHostHeader: false`), because it would answer without any header of ours. */
export const requireHost = (request: FastifyRequest): void => {
  if (request.headers.host !== undefined || request.raw.httpVersion === '1.0') return;
  throw new AppError('bad_request', 'The request does not say which host it is for');
};

const STATUS_OF: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  UNKNOWN_EXPECTATION: 417,
};
const WORDS: Readonly<Record<number, string>> = {
  408: 'The request took too long to arrive',
  417: 'The request expects something that there is not',
  431: 'The headers of the request are too large',
};

/** The bytes that answer what cannot be read as HTTP at all: the usual error body under the usual headers. */
export const rawRefusal = (errorCode: string, https: boolean): { status: number; text: string } => {
  const status = STATUS_OF[errorCode] ?? 400;
  const error = {
    code: status === 431 ? 'too_large' : 'bad_request',
    message: WORDS[status] ?? 'The request could not be read',
    requestId: randomUUID(),
  };
  const body = JSON.stringify({ error });
  const headers = {
    ...securityHeaders(https),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { status, text: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}` };
};

/** What a socket is told whose bytes are no request, or do not come; then it is closed. */
export const clientErrorHandler = (https: boolean) =>
  function answer(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
    // A reset connection hears nothing any more.
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    this.log.debug({ code: error.code }, 'a request could not be read');
    if (socket.writable) socket.write(rawRefusal(error.code ?? '', https).text);
    socket.destroy();
  };

/** Node answers an `Expect` it does not know before anything of ours sees the request, and without headers. */
export const refuseExpectations = (server: Server, https: boolean): void => {
  server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    socket.write(rawRefusal('UNKNOWN_EXPECTATION', https).text);
    socket.destroy();
  });
};
