import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { claimFile } from '#standins/stripe/store/file-lock.ts';
import { openJournal } from '#standins/stripe/store/journal.ts';
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
export const openMailStore = async (file: string, mostKept = MOST_KEPT): Promise<MailStore> => {
  await mkdir(dirname(file), { recursive: true });
  const release = await claimFile(file, 'mailbox stand-in');
  let mails: KeptMail[] = [];
  let lines = 0;
  const journal = await openJournal(file, (line) => {
    lines += 1;
    const mail = JSON.parse(line) as KeptMail;
    // A mail that came during a rewrite is in the file twice.
    mails = [...mails.filter(({ id }) => id !== mail.id), mail].slice(-mostKept);
  }).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  return {
    newestFirst: () => mails.toReversed(),
    find: (id) => mails.find((mail) => mail.id === id),
    add: async (mail) => {
      mails = [...mails, mail].slice(-mostKept);
      lines += 1;
      journal.append(JSON.stringify(mail));
      await journal.flushed();
      if (lines < 2 * mostKept) return;
      const kept = mails;
      lines = kept.length;
      await journal.rewrite(() => kept.map((one) => JSON.stringify(one)));
    },
    close: async () => {
      await journal.close();
      await release();
    },
  };
};
