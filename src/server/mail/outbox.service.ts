import { oneLine } from '#contract/text.ts';
import type { Trx } from '#server/platform/db.ts';
import type { Mail, Recipient } from './mails.ts';
import { eraseRecipient, insertingMail, insertMail } from './outbox.queries.ts';

export type { Mail, MailData, MailKind, Recipient } from './mails.ts';
/** SQL that queues a mail as a part of a statement, each of its values SQL over the rows of `from`; its recipient must come from `addressed`. */
export const queueingMail = insertingMail;

/** One address and nothing beside it: what would begin another header, another address or a comment is refused. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u;
const MAX_NAME_LENGTH = 200;

/** A recipient as the outbox takes them; throws where there is no address to go to. */
export const addressed = ({ email, name }: Recipient): Recipient => {
  if (!ADDRESS.test(email)) throw new Error('a mail has no address to go to');
  return { email, name: oneLine(name).slice(0, MAX_NAME_LENGTH) };
};

/**
 * Puts a mail into the outbox, in the transaction of the event it tells of: both last or neither. The same key again does
 * nothing. The mail leaves soon after the commit.
 */
export const queueMail = async (trx: Trx, mail: Mail): Promise<void> => {
  const { email, name } = addressed(mail.to);
  await insertMail(trx, { key: mail.key, kind: mail.kind, email, name, data: JSON.stringify(mail.data) });
};

/** For somebody who leaves: what has not left yet is not sent, and that they ever got mail is forgotten. */
export const forgetMailTo = async (trx: Trx, email: string): Promise<void> => {
  await eraseRecipient(trx, email);
};
