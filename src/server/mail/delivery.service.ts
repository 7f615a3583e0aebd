import { setTimeout as sleep } from 'node:timers/promises';
import { isChosen } from '#contract/notices/topics.ts';
import { isTimeZone } from '#contract/time.ts';
import { oneLine } from '#contract/text.ts';
import { takeToken } from '#server/notices/notices.service.ts';
import { crashPoint } from '#server/platform/crash-points.ts';
import { isContention, isOutOfTime, isUnavailable, type Db } from '#server/platform/postgres/db.ts';
import {
  forgetRecipients,
  leaseNextMail,
  markDead,
  markFailed,
  markSent,
  type LeasedMail,
} from './delivery.queries.ts';
import { htmlOf, linksOf, textOf } from './letter.ts';
import { letterOfRow } from './letters.ts';
import { topicOfRow } from './topics.ts';
import { failureOf, type MailTransport } from './transport.ts';

export { smtpTransport, type MailTransport } from './transport.ts';

export const MOST_ATTEMPTS = 10;
/** Doubled with every try: a server may be away for eight hours before a mail is given up. */
const FIRST_WAIT_SECONDS = 60;
const SEND_LIMIT_MS = 30_000;
/** Longer than a try can take, so that a mail is only taken over from a process that died. */
const LEASE_SECONDS = 60;
/**
 * Until so long after a try began, a mail that was taken is tried to be marked as sent: then its lease is nearly over.
 */
const MARK_LIMIT_MS = 55_000;
const MARK_PAUSE_MS = 250;
const MOST_ERROR_CHARACTERS = 500;
const REMEMBER_RECIPIENTS_DAYS = 30;
/** What is in these opens an account; it is forgotten with a mail that is given up. */
const HOLDS_A_KEY: readonly string[] = ['welcome', 'confirm-again', 'reset'];
/** Mail that nobody wants late: the link in it is dead by then. */
const MOST_AGE_SECONDS: Readonly<Record<string, number>> = { reset: 30 * 60 };

export interface DeliveryDeps {
  readonly db: Db;
  readonly transport: MailTransport;
  readonly publicUrl: string;
  /** For times in mails to whoever has not told theirs. */
  readonly shopTimeZone: string;
}

export interface DeliverySignals {
  /** Begin no other mail. */
  readonly closing: AbortSignal;
  /** Give up the one that is on its way, too. */
  readonly cutOff: AbortSignal;
}

/** A mail that was given up, for the log: who it was for is not told. */
export interface DeadMail {
  readonly kind: string;
  readonly id: string;
  readonly error: string;
}

const messageOf = (error: unknown): string =>
  oneLine(error instanceof Error ? error.message : String(error)).slice(0, MOST_ERROR_CHARACTERS);

/** How mails of this kind are ended, by a mail program and on a page; undefined where they are always sent. */
const unsubscribeLinks = async (
  { db, publicUrl }: DeliveryDeps,
  { kind, email }: LeasedMail,
): Promise<{ oneClick: string; page: string } | undefined> => {
  const topic = topicOfRow(kind);
  if (!isChosen(topic ?? '')) return undefined;
  const token = await takeToken(db, email);
  if (token === undefined) return undefined;
  const linkTo = linksOf(publicUrl);
  return { oneClick: linkTo(`/api/unsubscribe/${token}/${topic}`), page: linkTo(`/unsubscribe#token=${token}`) };
};

const send = async (deps: DeliveryDeps, mail: LeasedMail, cutOff: AbortSignal): Promise<void> => {
  // Another release may have known a zone that this one cannot write.
  const timeZone = isTimeZone(mail.timeZone ?? '') ? (mail.timeZone ?? '') : deps.shopTimeZone;
  const letter = letterOfRow(mail, linksOf(deps.publicUrl), timeZone);
  if (letter === undefined) throw new Error(`there is no template for ${mail.kind}`);
  const links = await unsubscribeLinks(deps, mail);
  const foot = { shopUrl: deps.publicUrl, choicesUrl: links?.page };
  const outgoing = {
    messageId: mail.messageId,
    to: { name: mail.name, address: mail.email },
    subject: oneLine(letter.subject),
    text: textOf(letter, mail.name, foot),
    html: htmlOf(letter, mail.name, foot),
    unsubscribe: links,
  };
  await deps.transport.send(outgoing, AbortSignal.any([cutOff, AbortSignal.timeout(SEND_LIMIT_MS)]));
};

/** Why this try need not be made at all, if so. */
const hopelessness = (mail: LeasedMail): string | undefined => {
  // Its last try was begun by a process that died over it.
  if (mail.attempt > MOST_ATTEMPTS) return 'the last try came to no end';
  const mostAge = MOST_AGE_SECONDS[mail.kind];
  return mostAge !== undefined && mail.ageSeconds > mostAge ? 'too late to be of use' : undefined;
};

const goesAway = (error: unknown): boolean => isUnavailable(error) || isContention(error) || isOutOfTime(error);

/**
 * Marks a mail as sent. A database that is away or busy is asked again: without the mark the mail would be sent twice.
 */
const retryMarkSent = async (db: Db, mail: LeasedMail, deadline: number, cutOff: AbortSignal): Promise<void> => {
  for (;;) {
    try {
      await markSent(db, mail);
      return;
    } catch (error) {
      if (!goesAway(error) || cutOff.aborted || performance.now() > deadline) throw error;
      await sleep(MARK_PAUSE_MS);
    }
  }
};

type Outcome = 'sent' | 'failed' | 'unreachable';

const deliver = async (
  deps: DeliveryDeps,
  mail: LeasedMail,
  cutOff: AbortSignal,
  onDead: (mail: DeadMail) => void,
): Promise<Outcome> => {
  const began = performance.now();
  const bury = async (error: string): Promise<void> => {
    await markDead(deps.db, mail, { error, forget: HOLDS_A_KEY.includes(mail.kind) });
    onDead({ kind: mail.kind, id: mail.id, error });
  };
  const hopeless = hopelessness(mail);
  if (hopeless !== undefined) {
    await bury(hopeless);
    return 'failed';
  }
  crashPoint('before-mail-send');
  try {
    await send(deps, mail, cutOff);
  } catch (error) {
    const failure = failureOf(error);
    const waitSeconds = FIRST_WAIT_SECONDS * 2 ** (mail.attempt - 1);
    if (failure === 'refused' || mail.attempt >= MOST_ATTEMPTS) await bury(messageOf(error));
    else await markFailed(deps.db, mail, { error: messageOf(error), waitSeconds });
    return failure === 'unreachable' ? 'unreachable' : 'failed';
  }
  // Dying here sends the mail once more when its lease ends, with the same Message-ID: each time.
  crashPoint('mail-sent-not-marked');
  await retryMarkSent(deps.db, mail, began + MARK_LIMIT_MS, cutOff);
  return 'sent';
};

/**
 * Sends what is due, one mail after the other, until nothing is left, the server cannot be reached or the shop closes;
 * answers how many were sent. Any number of processes may do so at once. A mail arrives at least once, and once more
 * for each process that died between sending and marking it; all of them have the same Message-ID.
 */
export const deliverDueMail = async (
  deps: DeliveryDeps,
  { closing, cutOff }: DeliverySignals,
  onDead: (mail: DeadMail) => void,
): Promise<number> => {
  const host = new URL(deps.publicUrl).hostname;
  let sent = 0;
  // Mails keep their tries while the server is known to be away.
  while (!closing.aborted && deps.transport.isAway?.() !== true) {
    const mail = await leaseNextMail(deps.db, { leaseSeconds: LEASE_SECONDS, host });
    if (mail === undefined) return sent;
    const outcome = await deliver(deps, mail, cutOff, onDead);
    // No use in trying the others now, and they keep their tries.
    if (outcome === 'unreachable') return sent;
    if (outcome === 'sent') sent += 1;
  }
  return sent;
};

/** Drops what the outbox need not know any more; to be run now and then. */
export const tidyOutbox = (db: Db): Promise<unknown> => forgetRecipients(db, REMEMBER_RECIPIENTS_DAYS);
