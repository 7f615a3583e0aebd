import { Type, type Static } from 'typebox';
import { endpoint } from '#contract/endpoint.ts';
import { IsoTime, PageQuery, SecretToken } from '#contract/scalars.ts';
import { CHOSEN_TOPICS, type ChosenTopicId } from './topics.ts';

/** The bell counts so far; beyond, it says so many and more. */
export const MOST_COUNTED = 99;

/** Something that happened to the viewer. `path` is the page it is about, `""` for none. */
export const Notice = Type.Object({
  _id: Type.String(),
  topic: Type.String(),
  title: Type.String(),
  path: Type.String(),
  at: IsoTime,
  isRead: Type.Boolean(),
});
export type Notice = Static<typeof Notice>;

const ChosenTopic = Type.Unsafe<ChosenTopicId>(Type.Union(CHOSEN_TOPICS.map(({ id }) => Type.Literal(id))));

/** Topics that are in the bell alone. All others are mailed as well. */
export const MailChoices = Type.Object({
  notMailed: Type.Array(ChosenTopic, { maxItems: CHOSEN_TOPICS.length, uniqueItems: true }),
});
export type MailChoices = Static<typeof MailChoices>;

const Modified = Type.Object({ modifiedCount: Type.Integer() });
/** Out of a mail's link: whoever has it may change what is mailed, and sees nothing else of the account. */
const Token = SecretToken;

export const listNotices = endpoint({
  method: 'GET',
  path: '/notices',
  summary: 'What happened to the viewer in the last 90 days, the newest first',
  access: 'signed in',
  query: Type.Object(PageQuery),
  status: 200,
  answer: Type.Array(Notice),
  personal: true,
});

/** Counts to 99 and one more. */
export const countUnreadNotices = endpoint({
  method: 'GET',
  path: '/notices/unread',
  summary: 'How much of it is new to the viewer',
  access: 'signed in',
  status: 200,
  answer: Type.Object({ unread: Type.Integer() }),
  refused: { unread: 0 },
  personal: true,
});

/** Those up to and with `upTo`: what came after it was not seen. */
export const readNotices = endpoint({
  method: 'PUT',
  path: '/notices/read',
  summary: 'Marks notices as read',
  access: 'signed in',
  body: Type.Object({ upTo: Type.String({ pattern: '^[0-9]{1,18}$' }) }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

export const readMailChoices = endpoint({
  method: 'GET',
  path: '/mail-choices',
  summary: 'What the viewer wants to have mailed',
  access: 'signed in',
  status: 200,
  answer: MailChoices,
  refused: { notMailed: [] },
  personal: true,
});

export const chooseMail = endpoint({
  method: 'PUT',
  path: '/mail-choices',
  summary: 'Chooses what is mailed; money and safety always are',
  access: 'signed in',
  body: MailChoices,
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/** 404 for a link that is nobody's any more. The token is in the body: what is in a path is in logs. */
export const readMailChoicesByLink = endpoint({
  method: 'POST',
  path: '/mail-choices/by-link',
  summary: 'What somebody wants to have mailed, by the link of a mail',
  access: 'whoever has the mail',
  body: Type.Object({ token: Token }),
  status: 200,
  answer: MailChoices,
  refused: { notMailed: [] },
  personal: true,
});

export const chooseMailByLink = endpoint({
  method: 'PUT',
  path: '/mail-choices/by-link',
  summary: 'Chooses what is mailed, by the link of a mail',
  access: 'whoever has the mail',
  body: Type.Object({ token: Token, ...MailChoices.properties }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});

/**
 * What a mail program asks for by itself (RFC 8058): no cookie, no page, its body says only that it is one click. The
 * same answer when repeated.
 */
export const unsubscribeOneClick = endpoint({
  method: 'POST',
  path: '/unsubscribe/:token/:topic',
  summary: 'Ends the mails of a topic with one click in a mail program',
  access: 'whoever has the mail',
  // Mails of sellers' new books were a topic of their own once, and such a mail's link is still good.
  params: Type.Object({ token: Token, topic: Type.Union([ChosenTopic, Type.Literal('follows')]) }),
  status: 200,
  answer: Modified,
  refused: { modifiedCount: 0 },
  personal: true,
});
