import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '#server/platform/viewer.ts';

/** From here on the log says who is asking, by their id. */
export const noteViewer = (request: FastifyRequest, reply: FastifyReply, viewer: Viewer): void => {
  if (viewer.kind === 'anonymous') return;
  request.log = request.log.child({ userId: viewer.userId });
  reply.log = request.log;
};
