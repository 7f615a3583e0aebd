import { findingOf, type Finding } from './finding.ts';
import { groupBy } from './intent-checks.ts';
import type { Delivery } from './outside.ts';
import { unexplainedRepeats } from './repeated-mails.ts';
import type { ShopBooks } from './shop-books.ts';

/**
 * The mails that these books must have asked for: each was to be written down in one transaction with its event. What
 * was paid at once is told at once, by the order's name; one book alone by its booking's.
 */
const keysOf = ({ bookings, payments }: ShopBooks): string[] => [
  ...[...groupBy(payments, ({ provider_id: intent }) => intent).values()].flatMap((paid) =>
    paid.flatMap(({ id, booking_id: booking, order_id: order, outcome }) => {
      const name = paid.length === 1 ? booking : order;
      return outcome === 'sale' ? [`paid-receipt:${name}`, `sold:${name}`] : [`money-returned:${id}`];
    }),
  ),
  // What a bank gave back its customer hears of from the bank.
  ...bookings.filter(({ refunded, lost }) => refunded && !lost).map(({ id }) => `refunded:${id}`),
];

/**
 * I8, as far as time mends nothing: each event has its mail, none is given up, and each that is called sent arrived,
 * once more only for each process that died over it, under its own Message-ID and at its own address. `before` was read
 * before the shop's books, `after` after them; `deaths` says when processes of the shop ended, in milliseconds since
 * 1970.
 */
export const lastingMailFindings = (books: {
  shop: ShopBooks;
  before: readonly Delivery[];
  after: readonly Delivery[];
  deaths: readonly number[];
}): Finding[] => {
  const { shop } = books;
  const keys = new Set(shop.mails.map(({ key }) => key));
  const asked = new Map(shop.mails.map((mail) => [mail.message_id, mail]));
  const arrived = new Set(books.after.map(({ messageId }) => messageId));
  return [
    ...findingOf(
      'I8',
      'an event has no mail',
      keysOf(shop).filter((key) => !keys.has(key)),
    ),
    ...findingOf(
      'I8',
      'a mail was given up',
      shop.mails.filter(({ dead }) => dead).map(({ key }) => key),
    ),
    ...findingOf(
      'I8',
      'a mail is called sent and never arrived',
      shop.mails.filter(({ sent, message_id: id }) => sent && !arrived.has(id ?? '')).map(({ key }) => key),
    ),
    ...findingOf(
      'I8',
      'a mail arrived again, and no process had died over it',
      unexplainedRepeats(books.after, books.deaths),
    ),
    ...findingOf(
      'I8',
      'a mail arrived that nobody asked for, or at another address',
      books.before
        .filter(({ messageId, recipients }) => asked.get(messageId)?.to_email !== recipients.join(' '))
        .map(({ messageId }) => messageId),
    ),
  ];
};

/**
 * Mail that is still to be sent. One whose process died over it is taken over when its lease ends, in a minute: whoever
 * cannot wait for that leaves out the `leased`.
 */
export const unsentMail = ({ mails }: ShopBooks, options: { leased: boolean }): Finding[] =>
  findingOf(
    'I8',
    'a mail was not sent',
    mails.filter(({ sent, dead, leased }) => !sent && !dead && (options.leased || !leased)).map(({ key }) => key),
  );
