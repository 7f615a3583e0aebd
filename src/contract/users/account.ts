import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { SessionUser } from './identity.ts';
import { Email, Id, IsoTime, Text } from '#contract/scalars.ts';
import { MAX_TIME_ZONE_LENGTH } from '#contract/time.ts';
import { NewPasskey, PasskeyOptions, PasskeyProof } from './passkey-shapes.ts';

export const Passkey = Type.Object({
  _id: Id,
  name: Type.String(),
  addedAt: IsoTime,
  lastUsedAt: Type.Union([IsoTime, Type.Null()]),
});
export type Passkey = Static<typeof Passkey>;

/**
 * The account as its owner sees it. `secondFactor` says what a production shop asks of admins before they act:
 * `to be made` has no passkey yet, `to be shown` has one that this session has not shown.
 */
export const Account = Type.Object({
  name: Type.String(),
  email: Email,
  emailProven: Type.Boolean(),
  photoURL: Type.String(),
  hasPassword: Type.Boolean(),
  passkeys: Type.Array(Passkey),
  recoveryCodesLeft: Type.Integer(),
  secondFactor: Type.Union([
    Type.Literal('not needed'),
    Type.Literal('to be made'),
    Type.Literal('to be shown'),
    Type.Literal('shown'),
  ]),
});
export type Account = Static<typeof Account>;

/** Where and when somebody is signed in. `device` is in plain words, such as "Firefox on Linux". */
export const AccountSession = Type.Object({
  _id: Id,
  device: Type.String(),
  current: Type.Boolean(),
  signedInAt: IsoTime,
  lastUsedAt: IsoTime,
});
export type AccountSession = Static<typeof AccountSession>;

const Password = Type.String({ maxLength: 1_000 });
const RecoveryCodes = Type.Array(Type.String());
const IdParams = Type.Object({ id: Id });
const Deleted = Type.Object({ deletedCount: Type.Integer() });
const Modified = Type.Object({ modifiedCount: Type.Integer() });

/** What the shop needs of somebody who types the word that deletes their account. */
export const DELETION_WORD = 'DELETE';

export const readAccount = endpoint({
  method: 'GET',
  path: '/account',
  summary: 'The account of the viewer: profile and what guards it',
  access: 'signed in',
  status: 200,
  answer: Account,
  personal: true,
});

/**
 * Name, picture and time zone; what is left out stays. The picture is an https address, or empty for none. The zone is
 * a name of the time zone database: browsers tell theirs when it is another than the session says, and mails write
 * times in it.
 */
export const editAccount = endpoint({
  method: 'PATCH',
  path: '/account',
  summary: "Changes the viewer's name, picture and time zone",
  access: 'signed in',
  body: Type.Object({
    name: Type.Optional(Text(200)),
    photoURL: Type.Optional(Text(2_048)),
    timeZone: Type.Optional(Text(MAX_TIME_ZONE_LENGTH)),
  }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * Takes a new password; an account that has one needs it as `current`. Ends all other sessions unless `endOthers` is
 * false. 400 with `fields`; a stale sign-in is 403 `fresh_sign_in_needed`; too many wrong ones are 429.
 */
export const changePassword = endpoint({
  method: 'PUT',
  path: '/account/password',
  summary: 'Changes or sets the password',
  access: 'signed in within the last 15 minutes',
  body: Type.Object({
    current: Type.Optional(Password),
    password: Password,
    endOthers: Type.Optional(Type.Boolean()),
  }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/account/sessions',
  summary: 'Where the viewer is signed in, the one used last first',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ sessions: Type.Array(AccountSession) }),
  personal: true,
});

export const endOneSession = endpoint({
  method: 'DELETE',
  path: '/account/sessions/:id',
  summary: 'Ends one session of the viewer, with its access tokens',
  access: 'signed in; own sessions',
  params: IdParams,
  status: 200,
  answer: Deleted,
  refused: { deletedCount: 0 },
  personal: true,
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/account/sessions',
  summary: 'Ends all sessions of the viewer but this one',
  access: 'signed in',
  status: 200,
  answer: Deleted,
  refused: { deletedCount: 0 },
  personal: true,
});

export const passkeyToAdd = endpoint({
  method: 'POST',
  path: '/account/passkeys/options',
  summary: 'What the browser needs to make a passkey; good for 5 minutes, once',
  access: 'signed in within the last 15 minutes; the address must be proven',
  status: 200,
  answer: Type.Object({ options: PasskeyOptions }),
  personal: true,
});

/** With the first passkey come ten recovery codes, told this once; `null` where there are some already. */
export const addPasskey = endpoint({
  method: 'POST',
  path: '/account/passkeys',
  summary: 'Adds a passkey',
  access: 'signed in within the last 15 minutes; the address must be proven',
  body: Type.Object({ name: Text(100), passkey: NewPasskey }),
  status: 201,
  answer: Type.Object({ insertedId: Id, recoveryCodes: Type.Union([RecoveryCodes, Type.Null()]) }),
  refused: { insertedId: null, recoveryCodes: null },
  personal: true,
});

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/account/passkeys/:id',
  summary: 'Names a passkey',
  access: 'signed in; own passkeys',
  params: IdParams,
  body: Type.Object({ name: Text(100) }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/** The last way to sign in stays, and the last passkey of an admin in production: 409 `last_way_in`. */
export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/account/passkeys/:id',
  summary: 'Removes a passkey',
  access: 'signed in within the last 15 minutes; own passkeys',
  params: IdParams,
  status: 200,
  answer: Deleted,
  refused: { deletedCount: 0 },
  personal: true,
});

/** Ten new ones, told this once; those from before are worth nothing. */
export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/account/recovery_codes',
  summary: 'Makes ten recovery codes in place of the old ones',
  access: 'signed in within the last 15 minutes, with a passkey',
  status: 201,
  answer: Type.Object({ recoveryCodes: RecoveryCodes }),
  refused: { recoveryCodes: [] },
  personal: true,
});

export const passkeyToSignIn = endpoint({
  method: 'POST',
  path: '/auth/passkey/options',
  summary: 'What the browser needs to sign in with a passkey; good for 5 minutes, once',
  access: 'anyone',
  status: 200,
  answer: Type.Object({ options: PasskeyOptions }),
  personal: true,
});

/** An unknown passkey and a wrong signature are the same 401 `wrong_credentials`. */
export const signInWithPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkey',
  summary: 'Signs in with a passkey',
  access: 'anyone',
  body: Type.Object({ passkey: PasskeyProof }),
  status: 200,
  answer: Type.Object({ user: SessionUser }),
  refused: { user: null },
  personal: true,
});

export const passkeyToConfirm = endpoint({
  method: 'POST',
  path: '/auth/again/options',
  summary: 'What the browser needs to confirm with a passkey; good for 5 minutes, once',
  access: 'session',
  status: 200,
  answer: Type.Object({ options: PasskeyOptions }),
  personal: true,
});

/**
 * One of password, passkey and recovery code, to be taken for freshly signed in. The session goes on under a new
 * cookie. A passkey and a recovery code, which is spent by it, are the second factor of admins as well. What is wrong
 * is 401 with `fields`.
 */
export const reauthenticate = endpoint({
  method: 'POST',
  path: '/auth/again',
  summary: 'Confirms who is signed in',
  access: 'session',
  body: Type.Object({
    password: Type.Optional(Password),
    passkey: Type.Optional(PasskeyProof),
    recoveryCode: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  status: 200,
  answer: Type.Object({ acknowledged: Type.Boolean() }),
  refused: { acknowledged: false },
  personal: true,
});

/** A zip of JSON files. 429 after many in an hour, 503 while others are being made. */
export const exportAccount = endpoint({
  method: 'GET',
  path: '/account/export',
  summary: 'Everything the shop keeps about the viewer, as a zip of JSON files',
  access: 'signed in',
  status: 200,
  answer: Type.Unknown(),
  file: { type: 'application/zip', name: 'dogear-my-data.zip' },
  personal: true,
});

/**
 * Deletes the viewer's own account for good: sessions end, books leave the shelves, unpaid bookings are given back,
 * paid ones stay without a name. The address is free again. The last admin stays: 409 `last_admin`.
 * While orders are open or money is due it waits: 409 `still_open`.
 */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/account',
  summary: "Deletes the viewer's account",
  access: 'signed in within the last 15 minutes',
  query: Type.Object({ confirm: Type.String({ description: `the word ${DELETION_WORD}`, maxLength: 20 }) }),
  status: 200,
  answer: Deleted,
  refused: { deletedCount: 0 },
  personal: true,
});
