import type { FastifyInstance } from 'fastify';
import { Refusal } from '#server/platform/errors.ts';
import { receiveEvent } from './event.service.ts';
import type { PaymentDeps } from './payment.service.ts';

/** POST /webhooks/stripe: the raw body is what is signed, so it is never parsed on the way in. */
export const webhookRoutes = async (app: FastifyInstance, deps: PaymentDeps): Promise<void> => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/webhooks/stripe',
      {
        schema: { summary: "The provider's signed events", description: 'Who may: whoever holds the signing secret.' },
      },
      async (request) => {
        const signature = request.headers['stripe-signature'];
        if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) {
          throw new Refusal('bad_request', 'The signature is missing');
        }
        await receiveEvent(deps, deps.provider.readEvent(request.body, signature));
        return { received: true };
      },
    );
  });
};
