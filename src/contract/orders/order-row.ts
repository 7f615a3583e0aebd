import { Type, type Static } from 'typebox';
import { Id, IsoTime } from '#contract/scalars.ts';
import { OUTCOME_WORDS } from './states.ts';

/** How far an order is, on the wire. */
export const OrderStateName = Type.Union([
  Type.Literal('paid'),
  Type.Literal('posted'),
  Type.Literal('ready'),
  Type.Literal('received'),
  Type.Literal('problem'),
  Type.Literal('returning'),
  Type.Literal('closed'),
  Type.Literal('cancelled'),
]);

/**
 * The order of a booking as a list shows it. `dueMove` is what happens by itself at `dueAt`; while it is `frozen`, the
 * move stands and the time is null. `deciding`: the shop has been asked to settle a problem.
 */
export const OrderRow = Type.Object({
  id: Id,
  state: OrderStateName,
  outcome: Type.String(),
  delivery: Type.Union([Type.Literal('pickup'), Type.Literal('post')]),
  frozen: Type.Boolean(),
  deciding: Type.Boolean(),
  dueMove: Type.String(),
  dueAt: Type.Union([IsoTime, Type.Null()]),
  closedAt: Type.Union([IsoTime, Type.Null()]),
});
export type OrderRow = Static<typeof OrderRow>;

/** What happens next with an order, for a list: `{at}` in `text` is when. `isYours`: whoever reads it is asked. */
export interface RowWords {
  readonly text: string;
  readonly at: string | undefined;
  readonly isYours: boolean;
}

type Party = 'buyer' | 'seller';

/** What somebody reads of what they did themselves. */
const OWN_WORDS: Readonly<Record<string, Partial<Record<Party, string>>>> = {
  kept: { buyer: 'You kept it' },
  'cancelled-by-buyer': { buyer: 'Cancelled by you' },
  'cancelled-by-seller': { seller: 'Cancelled by you' },
};

/** How an order ended, as a side reads it; before there were orders, nobody wrote down how. */
export const outcomeWords = (outcome: string, side: Party | 'admin'): string => {
  const own = side === 'admin' ? undefined : OWN_WORDS[outcome]?.[side];
  return own ?? Object.entries(OUTCOME_WORDS).find(([name]) => name === outcome)?.[1] ?? 'Completed';
};
type Words = Readonly<Record<Party, string>>;

const both = (text: string): Words => ({ buyer: text, seller: text });

const problemWords = ({ deciding, dueMove }: OrderRow): Words & { yours?: Party } => {
  if (deciding) return both('Problem: we decide by {at}');
  return dueMove === 'ask-admin'
    ? { buyer: 'You have an offer: answer by {at}', seller: 'Offer made, answer due by {at}', yours: 'buyer' }
    : { buyer: 'Problem: the seller answers by {at}', seller: 'Problem: answer by {at}', yours: 'seller' };
};

const returningWords = ({ dueMove }: OrderRow): Words & { yours?: Party } => {
  // Only the shop's decision leaves that to the clock.
  if (dueMove === 'refund-problem') return both('Problem: we decide by {at}');
  if (dueMove === 'close-returned') return both('The parcel came back, money back by {at}');
  return dueMove === 'keep-unreturned'
    ? { buyer: 'Send it back by {at}', seller: 'To be sent back by {at}', yours: 'buyer' }
    : {
        buyer: 'On its way back, money back by {at}',
        seller: 'On its way back to you: confirm by {at}',
        yours: 'seller',
      };
};

const openWords = (order: OrderRow): Words & { yours?: Party } => {
  switch (order.state) {
    case 'paid':
      return order.delivery === 'post'
        ? { buyer: 'To be posted by {at}', seller: 'Post by {at}', yours: 'seller' }
        : { buyer: 'Times to pick it up come by {at}', seller: 'Offer times by {at}', yours: 'seller' };
    case 'posted':
      return {
        buyer: 'On its way: say when you have it, by {at}',
        seller: 'On its way, received at the latest {at}',
        yours: 'buyer',
      };
    case 'ready':
      return { buyer: 'Pick it up by {at}', seller: 'To be picked up by {at}', yours: 'buyer' };
    case 'received':
      return { buyer: 'Received: report a problem by {at}', seller: 'Received: the money is yours {at}' };
    case 'problem':
      return problemWords(order);
    case 'returning':
      return returningWords(order);
    default:
      return both('');
  }
};

/** What happens next with an order and by when, in a line for one of its two sides. */
export const rowWords = (order: OrderRow, side: Party): RowWords => {
  const { state, frozen, closedAt } = order;
  if (frozen) return { text: 'Stopped by the bank', at: undefined, isYours: false };
  if (state === 'closed' || state === 'cancelled') {
    return { text: `${outcomeWords(order.outcome, side)}, {at}`, at: closedAt ?? undefined, isYours: false };
  }
  const { yours, ...words } = openWords(order);
  return { text: words[side], at: order.dueAt ?? undefined, isYours: yours === side };
};
