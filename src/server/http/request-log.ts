import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';

/** Logs each request once, when it is answered: a second line when it comes would say nothing more and cost as much. */
export class OneLinePerRequest extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    const facts = { req: request, res: reply, responseTime: reply.elapsedTime };
    if (error === null || error === undefined) reply.log.info(facts, 'request completed');
    else reply.log.error({ ...facts, err: error }, 'request errored');
  }
}
