import { openRowFile, type Change } from '#standins/row-file.ts';
import type { Message } from './message.ts';

/** A mail that was taken. */
export interface KeptMail extends Message {
  readonly id: string;
  readonly receivedAt: string;
  /** The addresses it was handed over for, whatever its headers say. */
  readonly recipients: readonly string[];
}

export interface MailStore {
  newestFirst(): readonly KeptMail[];
  find(id: string): KeptMail | undefined;
  /** Resolves when the mail is on disk: only then may it be acknowledged. */
  add(mail: KeptMail): Promise<void>;
  close(): Promise<void>;
}

/** Older mail is thrown away. */
const MOST_KEPT = 500;

/** Opens the mailbox's memory: the newest mails, written through to `file`. */
export const openMailStore = (file: string, mostKept = MOST_KEPT): MailStore => {
  const rows = openRowFile(file, 'mailbox stand-in');
  let mails = rows.rows.map(([, , mail]) => mail as KeptMail);
  return {
    newestFirst: () => mails.toReversed(),
    find: (id) => mails.find((mail) => mail.id === id),
    add: async (mail) => {
      const gone = mails.length < mostKept ? [] : mails.slice(0, mails.length - mostKept + 1);
      mails = [...mails.slice(gone.length), mail];
      rows.write([['mails', mail.id, mail], ...gone.map(({ id }): Change => ['mails', id, null])]);
      await rows.durable();
    },
    close: rows.close,
  };
};
