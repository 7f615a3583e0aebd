import { oneLine } from '#contract/text.ts';
import type { Trx } from '#server/platform/db.ts';
import type { Mail } from './mails.ts';
import { eraseRecipient, insertMail } from './outbox.queries.ts';

export type { Mail, MailData, MailKind, Recipient } from './mails.ts';

/** One address and nothing beside it: what would begin another header, another address or a comment is refused. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;
const MAX_NAME_LENGTH = 200;

/**
 * Puts a mail into the outbox, in the transaction of the event it tells of: both last or neither. The same key again does
 * nothing. The mail leaves soon after the commit.
 */
export const queueMail = async (trx: Trx, mail: Mail): Promise<void> => {
  if (!ADDRESS.test(mail.to.email)) throw new Error(`mail ${mail.key} has no address to go to`);
  await insertMail(trx, {
    key: mail.key,
    kind: mail.kind,
    email: mail.to.email,
    name: oneLine(mail.to.name).slice(0, MAX_NAME_LENGTH),
    data: JSON.stringify(mail.data),
  });
};

/** For somebody who leaves: what has not left yet is not sent, and that they ever got mail is forgotten. */
export const forgetMailTo = async (trx: Trx, email: string): Promise<void> => {
  await eraseRecipient(trx, email);
};
