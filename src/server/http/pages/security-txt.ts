import type { FastifyInstance } from 'fastify';

const PATH = '/.well-known/security.txt';
/** RFC 9116 asks for less than a year; a shop that runs says a new date with every answer. */
const VALID_MS = 180 * 86_400_000;
const HOUR = 'public, max-age=3600';

/** GET /.well-known/security.txt (RFC 9116): where to tell of a hole. */
export const addSecurityTxt = (app: FastifyInstance, shop: { publicUrl: string; contact: string }): void => {
  app.get(PATH, async (_request, reply) => {
    const lines = [
      `Contact: ${shop.contact}`,
      `Expires: ${new Date(Date.now() + VALID_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${shop.publicUrl}${PATH}`,
    ];
    return reply
      .header('cache-control', HOUR)
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`);
  });
};
