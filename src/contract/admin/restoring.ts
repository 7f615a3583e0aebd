import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Dollars, Email, Id, IsoTime, PageQuery } from '#contract/scalars.ts';

/** How long somebody or something that was deleted can be brought back. */
export const RESTORE_DAYS = 30;

/** Somebody an admin deleted, with how many of their copies would come back with them. */
export const DeletedUser = Type.Object({
  _id: Id,
  name: Type.String(),
  email: Email,
  deletedAt: IsoTime,
  copies: Type.Integer(),
});
export type DeletedUser = Static<typeof DeletedUser>;

export const DeletedListing = Type.Object({
  _id: Id,
  title: Type.String(),
  seller: Type.String(),
  price: Dollars,
  deletedAt: IsoTime,
});
export type DeletedListing = Static<typeof DeletedListing>;

const Restored = Type.Object({ restoredCount: Type.Integer() });

export const listDeletedUsers = endpoint({
  method: 'GET',
  path: '/deleted/users',
  summary: 'Users deleted within 30 days, newest first',
  access: 'admin',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(DeletedUser),
  personal: true,
});

/** Copies taken out of the shop by their sellers or admins; those of a deleted seller come back with the seller. */
export const listDeletedListings = endpoint({
  method: 'GET',
  path: '/deleted/listings',
  summary: 'Listings deleted within 30 days, newest first',
  access: 'admin',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(DeletedListing),
  personal: true,
});

/**
 * Brings a user back with their roles and the copies that went with them; who left by themselves, or longer ago, is
 * 404.
 */
export const restoreUser = endpoint({
  method: 'POST',
  path: '/deleted/users/:id/restore',
  summary: 'Restores a deleted user',
  access: 'admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Restored,
  refused: { restoredCount: 0 },
  personal: true,
});

/** Puts a deleted copy back on the shelf; 404 for one deleted longer ago, or whose seller is deleted. */
export const restoreListing = endpoint({
  method: 'POST',
  path: '/deleted/listings/:id/restore',
  summary: 'Restores a deleted listing',
  access: 'admin',
  params: Type.Object({ id: Id }),
  status: 200,
  answer: Restored,
  refused: { restoredCount: 0 },
  personal: true,
});
