import { inSentence } from '#contract/text.ts';
import type { MailTo, OrderActor } from '#contract/orders/move.ts';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { listAdmins } from '#server/identity/users/user-lists.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { readMailedOrder, type MailedOrder } from './order-mails.queries.ts';

type Side = 'buyer' | 'seller' | 'admin';

/** Whose mail it is: `other` is whichever of the two did not act. */
const sidesOf = (to: readonly MailTo[], by: OrderActor): readonly Side[] => [
  ...new Set(
    to.flatMap((whom): Side[] => {
      if (whom !== 'other') return [whom];
      if (by === 'buyer') return ['seller'];
      return by === 'seller' ? ['buyer'] : ['buyer', 'seller'];
    }),
  ),
];

const recipientsOf = async (trx: Trx, order: MailedOrder, side: Side) => {
  if (side === 'admin') return listAdmins(trx);
  const party = order[side];
  return party.isThere ? [party] : [];
};

/** What a mail about an order is about. */
interface News {
  readonly orderId: string;
  /** Unique within the order. */
  readonly key: string;
  readonly about: OrderMoveId | 'reminder';
  readonly by: OrderActor;
  readonly reason: string;
  readonly cents: number;
}

const mail = async (trx: Trx, sides: readonly Side[], news: News): Promise<void> => {
  if (sides.length === 0) return;
  const order = await readMailedOrder(trx, news.orderId);
  const { carrier, tracking, place, pickupTimes, pickupCode, delivery, state, dueAt, sendBack, statement } = order;
  for (const side of sides) {
    for (const person of await recipientsOf(trx, order, side)) {
      await queueMail(trx, {
        kind: 'order',
        key: `order:${news.orderId}:${news.key}:${side === 'admin' ? person.email : order[side].id}`,
        to: { email: person.email, name: person.name },
        data: {
          orderId: news.orderId,
          title: inSentence(order.titles),
          about: news.about,
          by: news.by,
          side,
          state,
          delivery,
          reason: news.reason,
          cents: news.cents,
          dueAt: dueAt?.toISOString() ?? null,
          carrier,
          tracking,
          place,
          times: pickupTimes,
          ...((news.about === 'ask-back' || (news.about === 'withdraw' && side === 'buyer')) && {
            sendBack: sendBack ?? '',
          }),
          ...(news.about === 'report-problem' && statement !== null && { statement }),
          code: side === 'buyer' && state === 'ready' ? pickupCode : null,
        },
      });
    }
  }
};

/** Tells of a move whoever is named for it, once each. */
export const mailMove = (
  trx: Trx,
  made: {
    orderId: string;
    eventId: string;
    move: { id: OrderMoveId; by: OrderActor; reason?: string };
    to: readonly MailTo[];
    cents: number;
  },
): Promise<void> => {
  const { orderId, eventId, move, to, cents } = made;
  // Of the payment itself receipt and sale tell.
  if (move.id === 'settle') return Promise.resolve();
  const { id: about, by, reason = '' } = move;
  return mail(trx, sidesOf(to, by), { orderId, key: eventId, about, by, reason, cents });
};

/** Reminds one side of what is due. */
export const mailReminder = (trx: Trx, reminder: { orderId: string; kind: string; enteredAt: Date }): Promise<void> => {
  const [side] = reminder.kind.split(':') as [Side];
  const key = `reminder:${reminder.kind}:${reminder.enteredAt.getTime()}`;
  const { orderId } = reminder;
  return mail(trx, [side], { orderId, key, about: 'reminder', by: 'clock', reason: '', cents: 0 });
};
