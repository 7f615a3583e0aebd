import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/catalog/photo-calls.ts';
import { MAX_PHOTO_BYTES } from '#contract/catalog/photo-rules.ts';
import { PHOTO_SIDES, type PhotoSide } from '#contract/catalog/photo-sizes.ts';
import { createBodyReader } from '#server/http/body-reader.ts';
import { replyNotFound } from '#server/http/error-reply.ts';
import { perAccount } from '#server/http/rate-limits.ts';
import { isKnownEtag } from '#server/http/representation.ts';
import { serve } from '#server/http/serve.ts';
import { AppError } from '#server/platform/errors.ts';
import {
  deletePhoto,
  findPublicPhoto,
  readPhoto,
  requireUpload,
  uploadPhoto,
  type PhotoDeps,
} from './photo.service.ts';

/** Bytes of pictures that may be on their way into one process: they lie in its memory until they are made anew. */
const MOST_ARRIVING = 200_000_000;
/** With pictures that are refused and tries that come again. */
const UPLOADS = perAccount(600);
const DAY = 'public, max-age=86400';

/** PUT, GET and DELETE /photos/:id: a user's own photos, and the private ones of orders. */
export const photoRoutes = async (app: FastifyInstance, deps: PhotoDeps): Promise<void> => {
  const read = createBodyReader({
    mostBytes: MAX_PHOTO_BYTES,
    mostArriving: MOST_ARRIVING,
    tooLarge: 'A picture may have 25 MB at most: please choose a smaller one',
    tooMany: 'Many pictures come in at once; please try again',
    broken: 'The picture did not arrive whole',
  });
  // A scope of its own, where a body of any type is left to be read piece by piece.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
    serve(scope, contract.uploadPhoto, { guard: 'viewer', limits: [UPLOADS] }, async ({ viewer, params, reply }) => {
      const { request } = reply;
      if (request.body === undefined || request.body === null) throw new AppError('bad_request', 'Send the picture');
      try {
        await requireUpload(deps, viewer, params.id);
      } catch (error) {
        reply.header('connection', 'close');
        throw error;
      }
      const contentDigest = request.headers['content-digest'];
      return read(request, reply, (bytes) => uploadPhoto(deps, viewer, { id: params.id, bytes, contentDigest }));
    });
  });
  serve(app, contract.readPhoto, 'viewer', ({ viewer, params }) =>
    readPhoto(deps, viewer, { id: params.id, side: Number(params.side) as PhotoSide }),
  );
  serve(app, contract.deletePhoto, 'viewer', ({ viewer, params }) => deletePhoto(deps.db, viewer, params.id));
};

const sideIn = (file: string): PhotoSide | 'shared' | undefined =>
  file === 'shared.jpg' ? 'shared' : PHOTO_SIDES.find((side) => file === `${side}.webp`);

/**
 * GET /photos/:name/:file: what everybody may see, for a day in browsers and shared caches. Its name is made of its
 * content, so it never changes; whether it may be seen is asked each time.
 */
export const publicPhotoRoutes = (app: FastifyInstance, deps: Pick<PhotoDeps, 'db' | 'store'>): void => {
  app.get<{ Params: { name: string; file: string } }>('/photos/:name/:file', async (request, reply) => {
    const { name, file } = request.params;
    const side = sideIn(file);
    const photo = side && (await findPublicPhoto(deps, name, side));
    if (photo === undefined) return replyNotFound(request, reply);
    const tag = `"${photo.key}"`;
    reply.header('cache-control', DAY).header('etag', tag);
    if (isKnownEtag(request.headers['if-none-match'], tag)) return reply.status(304).send();
    const bytes = await photo.read();
    if (bytes === undefined) return replyNotFound(request, reply);
    // What mails and other sites show is for them, too.
    if (side === 'shared') reply.header('cross-origin-resource-policy', 'cross-origin');
    return reply.type(side === 'shared' ? 'image/jpeg' : 'image/webp').send(Buffer.from(bytes));
  });
};
