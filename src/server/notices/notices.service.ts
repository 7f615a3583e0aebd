import { MOST_COUNTED, type MailChoices, type Notice } from '#contract/notices/notices.ts';
import { isChosen } from '#contract/notices/topics.ts';
import { oneLine } from '#contract/text.ts';
import { limitOf, numberCursorOf, numberPositionOf } from '#server/platform/cursor.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireSignedIn, type Viewer } from '#server/platform/viewer.ts';
import {
  addChoiceByToken,
  countUnread,
  findChoices,
  forgetNoticesBefore,
  insertNotice,
  listNoticeRows,
  markRead,
  writeChoices,
  writeChoicesByToken,
  type NewNotice,
} from './notices.queries.ts';

export { deleteNoticesOf, takeToken } from './notices.queries.ts';

/** For so long a notice is shown; what it is about has pages of its own. */
const KEEP_DAYS = 90;
const MOST_TITLE_CHARACTERS = 300;

/** Puts what happened into somebody's bell, in the transaction of the event; the same key again is nothing. */
export const addNotice = async (trx: Trx, notice: NewNotice): Promise<void> => {
  const { title, path } = notice;
  await insertNotice(trx, {
    ...notice,
    title: oneLine(title).slice(0, MOST_TITLE_CHARACTERS),
    path: /^\/[^/]/.test(path) ? path : '',
  });
};

/** What happened to the viewer, the newest first. */
export const listNotices = async (
  db: Db,
  viewer: Viewer,
  { limit, cursor }: { limit?: string | undefined; cursor?: string | undefined },
): Promise<{ rows: Notice[]; next?: string }> => {
  const { userId } = requireSignedIn(viewer);
  const most = limitOf(limit);
  const found = await listNoticeRows(db, userId, { limit: most + 1, below: numberPositionOf(cursor) });
  const rows = found.slice(0, most).map(({ id, topic, title, path, at, readAt }) => ({
    _id: id,
    topic,
    title,
    path,
    at: at.toISOString(),
    isRead: readAt !== null,
  }));
  const last = rows.at(-1);
  return found.length > most && last !== undefined ? { rows, next: numberCursorOf(last._id) } : { rows };
};

/** How much of it is new, up to one more than the bell counts. */
export const countUnreadNotices = async (db: Db, viewer: Viewer): Promise<{ unread: number }> => ({
  unread: await countUnread(db, requireSignedIn(viewer).userId, MOST_COUNTED + 1),
});

/** Marks what the viewer has seen, up to and with the notice `upTo`. */
export const readNotices = async (db: Db, viewer: Viewer, upTo: string): Promise<{ modifiedCount: number }> => ({
  modifiedCount: await markRead(db, requireSignedIn(viewer).userId, upTo),
});

/** Known topics alone: another release may have had others. */
const choicesOf = (notMailed: readonly string[]): MailChoices => ({ notMailed: notMailed.filter(isChosen) });

const noSuchLink = () => notFound('This link is no longer good. You can choose what is mailed on your account page');

/** What the viewer has mailed: everything, until they chose. */
export const readMailChoices = async (db: Db, viewer: Viewer): Promise<MailChoices> =>
  choicesOf((await findChoices(db, { userId: requireSignedIn(viewer).userId })) ?? []);

export const chooseMail = async (
  db: Db,
  viewer: Viewer,
  { notMailed }: MailChoices,
): Promise<{ modifiedCount: number }> => ({
  modifiedCount: await writeChoices(db, requireSignedIn(viewer).userId, notMailed),
});

/** As `readMailChoices`, for whoever the link of a mail belongs to; 404 where it is nobody's any more. */
export const readMailChoicesByLink = async (db: Db, token: string): Promise<MailChoices> => {
  const notMailed = await findChoices(db, { token });
  if (notMailed === undefined) throw noSuchLink();
  return choicesOf(notMailed);
};

export const chooseMailByLink = async (
  db: Db,
  token: string,
  { notMailed }: MailChoices,
): Promise<{ modifiedCount: number }> => {
  const modifiedCount = await writeChoicesByToken(db, token, notMailed);
  if (modifiedCount === undefined) throw noSuchLink();
  return { modifiedCount };
};

/** Topics of earlier mails, which are parts of others now. */
const PART_OF: Readonly<Record<string, string>> = { follows: 'watched' };

/** Ends the mails of one topic for whoever the link of a mail belongs to; the same answer when repeated. */
export const unsubscribe = async (
  db: Db,
  { token, topic }: { token: string; topic: string },
): Promise<{ modifiedCount: number }> => {
  const modifiedCount = await addChoiceByToken(db, token, PART_OF[topic] ?? topic);
  if (modifiedCount === undefined) throw noSuchLink();
  return { modifiedCount };
};

/** What the shop keeps of a user's notices, the newest first, below a number. */
export const listNoticesToExport = (db: Db, userId: string, page: { limit: number; below: string | undefined }) =>
  listNoticeRows(db, userId, page);

/** What a user chose to have mailed, for the export. */
export const mailChoicesToExport = async (db: Db, userId: string): Promise<MailChoices> =>
  choicesOf((await findChoices(db, { userId })) ?? []);

/** Drops old notices; to be run now and then. */
export const tidyNotices = (db: Db): Promise<void> => forgetNoticesBefore(db, KEEP_DAYS);
