import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { Email, Id, Text } from '#contract/scalars.ts';

export const Role = Type.Union([Type.Literal('admin'), Type.Literal('seller'), Type.Literal('buyer')]);
export type Role = Static<typeof Role>;

/** The signed-in user, as the browser knows them. `roles` is read from the database at the moment of asking. */
export const SessionUser = Type.Object({
  uid: Id,
  email: Email,
  displayName: Type.String(),
  photoURL: Type.String(),
  roles: Type.Array(Role),
  /** Whether the address was proven, by the link of a mail or by Google or Github. */
  emailProven: Type.Boolean(),
  /** The zone that mails to this user write times in; empty until a browser told one. */
  timeZone: Type.String(),
});
export type SessionUser = Static<typeof SessionUser>;

const Credentials = { email: Type.String({ maxLength: 1_000 }), password: Type.String({ maxLength: 1_000 }) };
const EmailQuery = Type.Object({ email: Email });
/** Any text: whether an address has a role is always answered, if with no. */
const EmailParams = Type.Object({ email: Type.String() });
const Modified = Type.Object({ modifiedCount: Type.Integer() });

/** 201 with the session cookie; 400 with `fields`; a taken address is 409 `email_taken`. */
export const signUp = endpoint({
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Makes an account and signs it in',
  access: 'anyone',
  body: Type.Object({ ...Credentials, name: Text(200) }),
  status: 201,
  answer: Type.Object({ user: SessionUser }),
  refused: { user: null },
  personal: true,
});

/** Wrong address and wrong password are the same 401 `wrong_credentials`; too many are 429. */
export const signIn = endpoint({
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Signs in with email and password',
  access: 'anyone',
  body: Type.Object(Credentials),
  status: 200,
  answer: Type.Object({ user: SessionUser }),
  refused: { user: null },
  personal: true,
});

export const readSession = endpoint({
  method: 'GET',
  path: '/auth/session',
  summary: 'Who the session cookie belongs to',
  access: 'anyone',
  status: 200,
  answer: Type.Object({ user: Type.Union([SessionUser, Type.Null()]) }),
  refused: { user: null },
  personal: true,
});

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'Ends the session and its access tokens',
  access: 'session',
  status: 204,
  answer: Type.Null(),
  personal: true,
});

/** 401 without a session, 403 for another address; refused cross-site. The same call renews. */
export const issueAccessToken = endpoint({
  method: 'GET',
  path: '/jwt',
  summary: 'An access token for the session of that very address, 10 minutes',
  access: 'session of that address',
  query: EmailQuery,
  status: 200,
  answer: Type.Object({ accessToken: Type.String() }),
  refused: { accessToken: '' },
  personal: true,
});

export const saveProfile = endpoint({
  method: 'POST',
  path: '/users',
  summary: 'Upserts the profile of the session; only the name is taken',
  access: 'session of that address',
  body: Type.Object({ name: Text(200), email: Email }),
  status: 200,
  answer: Type.Object({ acknowledged: Type.Boolean(), insertedId: Id }),
  refused: { acknowledged: false, insertedId: null },
  personal: true,
});

export const isAdmin = endpoint({
  method: 'GET',
  path: '/users/admin/:email',
  summary: 'Whether that user is an admin; true only to that user or an admin',
  access: 'anyone',
  params: EmailParams,
  status: 200,
  answer: Type.Object({ isAdmin: Type.Boolean() }),
  refused: { isAdmin: false },
  personal: true,
});

export const isBuyer = endpoint({
  method: 'GET',
  path: '/users/buyer/:email',
  summary: 'Whether that user is a buyer; true only to that user or an admin',
  access: 'anyone',
  params: EmailParams,
  status: 200,
  answer: Type.Object({ isBuyer: Type.Boolean() }),
  refused: { isBuyer: false },
  personal: true,
});

export const isSeller = endpoint({
  method: 'GET',
  path: '/users/seller/:email',
  summary: 'Whether that user is a seller; true only to that user or an admin',
  access: 'anyone',
  params: EmailParams,
  status: 200,
  answer: Type.Object({ isSeller: Type.Boolean() }),
  refused: { isSeller: false },
  personal: true,
});

export const becomeBuyer = endpoint({
  method: 'PUT',
  path: '/users/buyer',
  summary: 'Gives the viewer the buyer role',
  access: 'that user (session or token)',
  query: EmailQuery,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

export const becomeSeller = endpoint({
  method: 'PUT',
  path: '/users/seller',
  summary: 'Gives the viewer the seller role',
  access: 'that user (session or token)',
  query: EmailQuery,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});
