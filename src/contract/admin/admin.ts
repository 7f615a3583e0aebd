import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Role } from '#contract/users/identity.ts';
import { Reason } from './reason.ts';
import { Email, Id, IsoTime, SortedPageQuery } from '#contract/scalars.ts';

/** A user as admins see one. `role` is the highest of `roles`, `""` before the first was chosen. */
export const ListedUser = Type.Object({
  _id: Id,
  name: Type.String(),
  email: Email,
  role: Type.Union([Role, Type.Literal('')]),
  roles: Type.Array(Role),
  status: Type.Union([Type.Literal('verified'), Type.Literal('unverified')]),
  suspended: Type.Boolean(),
  joined: IsoTime,
  /** Of sellers: how often they cancelled what was paid, a book of several too, or did not post it. */
  cancelled: Type.Optional(Type.Integer()),
});
export type ListedUser = Static<typeof ListedUser>;

/** The orders of a list of users; names whatever their case and accents. */
export const UsersSort = Type.Union([Type.Literal('newest'), Type.Literal('name-up'), Type.Literal('name-down')]);
export type UsersSort = Static<typeof UsersSort>;

/**
 * `q` finds users by a part of their name or address, whatever its case, and both sides of an order or payment by its
 * number; an empty one finds everybody. The newest come first unless `sort` says otherwise.
 */
const UsersQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 254 })),
  sort: Type.Optional(UsersSort),
  ...SortedPageQuery,
});

const UserParams = Type.Object({ id: Id });
const Modified = Type.Object({ modifiedCount: Type.Integer() });

export const listUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'All users',
  access: 'admin',
  query: UsersQuery,
  status: 200,
  answer: Type.Array(ListedUser),
  personal: true,
});

export const listSellers = endpoint({
  method: 'GET',
  path: '/users/all_sellers',
  summary: 'All sellers',
  access: 'admin',
  query: UsersQuery,
  status: 200,
  answer: Type.Array(ListedUser),
  personal: true,
});

/** 1, or 0 when the user is an admin already; an unknown or deleted user is 404. */
export const makeAdmin = endpoint({
  method: 'PUT',
  path: '/users/admin/:id',
  summary: 'Makes a user an admin',
  access: 'admin; in production the address must be proven',
  params: UserParams,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * 1, or 0 when the user is no admin; they stay what else they are, and are told the reason by mail. Oneself is 403, so
 * the last admin stays; an unknown or deleted user is 404.
 */
export const removeAdmin = endpoint({
  method: 'DELETE',
  path: '/users/admin/:id',
  summary: 'Takes the admin role back',
  access: 'admin, not of oneself',
  params: UserParams,
  body: Type.Object({ reason: Reason }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * 1, or 0 when the user is verified already; `reason` says what was looked at, and is kept in the audit. Who does not
 * sell is 409 `not_a_seller`, an unknown or deleted user 404.
 */
export const verifySeller = endpoint({
  method: 'PUT',
  path: '/users/verified/:id',
  summary: 'Verifies a seller',
  access: 'admin',
  params: UserParams,
  body: Type.Object({ reason: Type.Optional(Reason) }),
  optionalBody: true,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/** 1, or 0 when the user is not verified; they are told the reason by mail. An unknown or deleted user is 404. */
export const removeVerification = endpoint({
  method: 'DELETE',
  path: '/users/verified/:id',
  summary: 'Takes the verified tick of a seller back',
  access: 'admin',
  params: UserParams,
  body: Type.Object({ reason: Reason }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * Ends the user's sessions at once, gives back what they had booked and not paid, and takes their books off the
 * shelves; paid orders stay. Oneself is 403, so the last admin stays too; an unknown or deleted user is 404.
 */
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/users/:id',
  summary: 'Deletes a user',
  access: 'admin, not oneself',
  params: UserParams,
  status: 200,
  answer: Type.Object({ deletedCount: Type.Integer() }),
  refused: { deletedCount: 0 },
  personal: true,
});
