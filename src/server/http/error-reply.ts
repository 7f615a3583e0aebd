import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import { isContention, isUnavailable } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';

/** How long a client waits before asking again while the database is away; it is back within seconds. */
const RETRY_WHEN_UNAVAILABLE_SECONDS = 2;

const CODE_OF_STATUS = new Map<number, ErrorCode>([
  [400, 'bad_request'],
  [404, 'not_found'],
  [413, 'too_large'],
  [415, 'unsupported_media'],
  [429, 'too_many'],
]);

const MESSAGE_OF_CODE: Partial<Record<ErrorCode, string>> = {
  bad_request: 'The request could not be read',
  not_found: 'There is nothing here',
  too_large: 'The request is too large',
  unsupported_media: 'Send JSON (content-type: application/json)',
  too_many: 'Too many requests; please wait a moment',
};

const isFastifyError = (error: unknown): error is FastifyError =>
  // An error of a library that speaks to somebody else has a status code too, and is a defect here.
  error instanceof Error && 'statusCode' in error && 'code' in error && String(error.code).startsWith('FST_');

/** What any thrown value is answered as; undefined for a defect of ours. */
const refusalOf = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) {
    return new AppError('unavailable', 'The shop is catching its breath; please try again in a moment', {
      retryAfterSeconds: RETRY_WHEN_UNAVAILABLE_SECONDS,
    });
  }
  if (isContention(error)) {
    return new AppError('unavailable', 'Many people want this at once; please try again', { retryAfterSeconds: 1 });
  }
  if (!isFastifyError(error)) return undefined;
  const code = CODE_OF_STATUS.get(error.statusCode ?? 500);
  return code === undefined ? undefined : new AppError(code, MESSAGE_OF_CODE[code] ?? 'The request was refused');
};

/** Answers a refusal in the one documented shape. */
export const sendRefusal = (request: FastifyRequest, reply: FastifyReply, refusal: AppError): FastifyReply => {
  // An address that cannot be read has no route at all.
  const endpoint = request.routeOptions.config?.endpoint;
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .status(refusal.status)
    .header('cache-control', 'no-store')
    .send({
      ...endpoint?.refused,
      error: {
        code: refusal.code,
        message: refusal.message,
        ...(refusal.fields && { fields: refusal.fields }),
        ...(refusal.change && { change: refusal.change }),
        requestId: request.id,
      },
    });
};

/** Makes every failure of the API one documented shape; a defect is logged once and its message never sent. */
export const addErrorReplies = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal !== undefined) {
      if (refusal.status >= ERROR_STATUS.internal) request.log.warn({ err: error }, 'could not answer');
      return sendRefusal(request, reply, refusal);
    }
    request.log.error({ err: error }, 'a defect');
    return sendRefusal(request, reply, new AppError('internal', 'Something went wrong on our side'));
  });
};

/** Answers an address that cannot even be read, such as one with a broken percent sign. */
export const replyUnreadable = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendRefusal(request, reply, new AppError('bad_request', 'This address cannot be read'));

/** Answers an address of the API that no route has. */
export const replyNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendRefusal(request, reply, new AppError('not_found', 'There is no such call'));
