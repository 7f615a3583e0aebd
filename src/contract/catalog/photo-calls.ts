import { Type } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Id } from '#contract/scalars.ts';
import { PHOTO_TYPES } from './photo-rules.ts';
import { PHOTO_SIDES } from './photo-sizes.ts';
import { Photo } from './photos.ts';

const params = Type.Object({ id: Id });

/**
 * The body is the picture itself, at most 25 MB; `Content-Digest: sha-256=:…:` (RFC 9530) says what it is. The client
 * makes the id: the same bytes again are answered the same, other bytes are 409 `photo_differs`, an id of somebody else
 * is 404. 422 `photo_refused` with one of `PHOTO_REFUSALS`; 429 beyond 200 photos a day or 2 GB; 507 `store_full`.
 */
export const uploadPhoto = endpoint({
  method: 'PUT',
  path: '/photos/:id',
  summary: 'Takes a picture up',
  access: 'anyone signed in',
  params,
  upload: { types: PHOTO_TYPES },
  status: 200,
  answer: Photo,
  refused: { id: null },
  personal: true,
});

/** 409 `photo_used` while a listing or an order has it. What a booking was promised is kept all the same. */
export const deletePhoto = endpoint({
  method: 'DELETE',
  path: '/photos/:id',
  summary: 'Deletes an own photo that nothing has',
  access: 'its owner',
  params,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});

/** `side` is the longer side in pixels, 320, 720 or 1600; a photo that is smaller comes as it is. */
export const readPhoto = endpoint({
  method: 'GET',
  path: '/photos/:id/:side.webp',
  summary: 'A private photo',
  access: 'its owner; of a problem of an order its buyer, its seller and admins',
  params: Type.Object({ id: Id, side: Type.String({ pattern: `^(${PHOTO_SIDES.join('|')})$` }) }),
  status: 200,
  answer: Type.Unknown(),
  file: { type: 'image/webp', name: 'photo.webp' },
  personal: true,
});
