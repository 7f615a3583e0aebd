import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '#server/platform/errors.ts';
import { receiveEvent } from './event.service.ts';
import type { PaymentDeps } from '#server/payments/payments.service.ts';

/** Largest event of the provider; a signature is over all of it, so all of it is read before anything is believed. */
const EVENT_BYTES = 1_000_000;

/** POST /webhooks/stripe: the raw body is what is signed, so it is never parsed on the way in. */
export const webhookRoutes = async (app: FastifyInstance, deps: PaymentDeps): Promise<void> => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(
      '/api/webhooks/stripe',
      {
        bodyLimit: EVENT_BYTES,
        schema: {
          summary: "The provider's signed events",
          description: 'Who may: whoever holds the signing secret.',
          tags: ['webhooks'],
          headers: Type.Object({ 'stripe-signature': Type.String() }),
          body: Type.Object({}, { description: 'An event of the provider, byte for byte as it was signed' }),
          response: { 200: Type.Object({ received: Type.Boolean() }) },
        },
        // For the document alone: what is read are bytes, and the signature is what they are checked by.
        validatorCompiler: () => () => true,
      },
      async (request) => {
        const signature = request.headers['stripe-signature'];
        if (typeof signature !== 'string' || !Buffer.isBuffer(request.body)) {
          throw new AppError('bad_request', 'The signature is missing');
        }
        await receiveEvent(deps, await deps.provider.readEvent(request.body, signature));
        return { received: true };
      },
    );
  });
};
