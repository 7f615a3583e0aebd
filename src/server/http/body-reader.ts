import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/platform/errors.ts';

/** How large bodies that are files may be, and what is said where they are not taken. */
export interface BodyLimits {
  readonly mostBytes: number;
  /** Bytes that may be on their way into one process: they lie in its memory. */
  readonly mostArriving: number;
  readonly tooLarge: string;
  readonly tooMany: string;
  readonly broken: string;
}

/** All of a body; 413 as soon as it is more than it may be, and the rest is left unread. */
const readAll = async (body: Readable, { mostBytes, tooLarge, broken }: BodyLimits): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Not destroyed where reading ends early: the connection has to carry the answer.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > mostBytes) throw new AppError('too_large', tooLarge);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('bad_request', broken);
  }
  return Buffer.concat(chunks, length);
};

/** Gives the body of a request to what is done with it, within the bounds of memory: 413 and 503 beyond them. */
export const createBodyReader = (limits: BodyLimits) => {
  let arriving = 0;
  return async <A>(request: FastifyRequest, reply: FastifyReply, work: (bytes: Buffer) => Promise<A>): Promise<A> => {
    const said = Number(request.headers['content-length'] ?? limits.mostBytes);
    try {
      if (said > limits.mostBytes) throw new AppError('too_large', limits.tooLarge);
      if (arriving + said > limits.mostArriving)
        throw new AppError('unavailable', limits.tooMany, { retryAfterSeconds: 2 });
    } catch (error) {
      reply.header('connection', 'close');
      throw error;
    }
    arriving += said;
    try {
      return await work(await readAll(request.body as Readable, limits));
    } catch (error) {
      if (!request.raw.complete) reply.header('connection', 'close');
      throw error;
    } finally {
      arriving -= said;
    }
  };
};
