import { editAccount } from '#contract/users/account.ts';
import { ownTimeZone } from '#contract/time.ts';
import { call } from '#web/api/call.ts';
import type { SessionState } from '#web/api/session.ts';

/** Whose zone this page told already: the session goes on saying the one from before. */
let told = '';

/**
 * Tells the shop the zone of this browser where it knows another one of whoever is signed in: mails write times in it.
 */
export const tellTimeZone = (session: SessionState): void => {
  const timeZone = ownTimeZone();
  if (session.status !== 'in' || timeZone === undefined || timeZone === session.user.timeZone) return;
  const telling = `${session.user.uid} ${timeZone}`;
  if (telling === told) return;
  told = telling;
  // Mails are right without it, if by another clock; the next page tells again.
  call(editAccount, { body: { timeZone } }).catch(() => undefined);
};
