import { Type } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { SessionUser } from './identity.ts';

/**
 * How long a link to a new password works: as long as links are counted, so that whoever asks too often still has one.
 */
export const RESET_LINK_MINUTES = 60;
/** How long a link that proves an address works. */
export const CONFIRM_LINK_DAYS = 7;
/** Links to a new password that one address gets at most in an hour, and links that prove it. */
export const MOST_LINKS_AN_HOUR = 5;

/** Where a demo shop shows its mail; null where mail really leaves. */
const Mailbox = Type.Union([Type.String(), Type.Null()]);

const Token = Type.String({ maxLength: 200 });

/** 202 whether there is such an account or not; 429 when a network asks too often. */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/auth/forgot',
  summary: 'Mails a link to a new password, if the address has an account',
  access: 'anyone',
  body: Type.Object({ email: Type.String({ maxLength: 1_000 }) }),
  status: 202,
  answer: Type.Object({ accepted: Type.Boolean(), mailbox: Mailbox }),
  refused: { accepted: false, mailbox: null },
  personal: true,
});

/**
 * Sets the password, proves the address, ends all sessions and starts a new one; an admin gets none and signs in as
 * always. 410 `link_over` for a link that was used, is too old or none; 400 with `fields`.
 */
export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/reset',
  summary: 'Sets a new password',
  access: 'holder of the link',
  body: Type.Object({ token: Token, password: Type.String({ maxLength: 1_000 }) }),
  status: 200,
  answer: Type.Object({ email: Type.String(), user: Type.Union([SessionUser, Type.Null()]) }),
  refused: { email: '', user: null },
  personal: true,
});

/** Opening the link again is fine; 410 `link_over` when it proved nothing and does not any more. */
export const confirmAddress = endpoint({
  method: 'POST',
  path: '/auth/confirm',
  summary: 'Proves the address of an account',
  access: 'holder of the link',
  body: Type.Object({ token: Token }),
  status: 200,
  answer: Type.Object({ confirmed: Type.Boolean() }),
  refused: { confirmed: false },
  personal: true,
});

/** `sent` is false where the address is proven already; 429 after several in an hour. */
export const sendConfirmation = endpoint({
  method: 'POST',
  path: '/account/confirmation',
  summary: 'Mails the link that proves the address once more',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ sent: Type.Boolean(), mailbox: Mailbox }),
  refused: { sent: false, mailbox: null },
  personal: true,
});
