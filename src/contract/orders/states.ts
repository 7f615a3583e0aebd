import type { OrderActor, OrderMove, OrderOutcome, OrderState } from './move.ts';
import { ORDER_MOVES, type OrderMoveId } from './moves.ts';

export const ORDER_STATES = [
  'paid',
  'posted',
  'ready',
  'received',
  'problem',
  'returning',
  'closed',
  'cancelled',
] as const satisfies readonly OrderState[];

/** Nothing is due in these any more; what follows is about money only. */
export const ORDER_ENDS: readonly OrderState[] = ['closed', 'cancelled'];

/** An outcome as both sides read it. */
export const OUTCOME_WORDS: Readonly<Record<OrderOutcome, string>> = {
  completed: 'Completed',
  kept: 'The buyer kept it',
  refunded: 'Refunded',
  'part-refunded': 'Partly refunded',
  'came-back': 'Came back, refunded',
  'cancelled-by-buyer': 'Cancelled by the buyer',
  'cancelled-by-seller': 'Cancelled by the seller',
  'not-posted': 'Not posted in time, cancelled',
  'not-collected': 'Not picked up, cancelled',
  lost: 'The bank gave the money back',
};

/** What of the promise a book that is not as described does not keep, as its buyer says. */
export const STATEMENT_WORDS = {
  title: 'the title',
  author: 'the author',
  condition: 'the condition',
  details: 'the details',
  picture: 'the pictures',
  isbn: 'the ISBN',
  publisher: 'the publisher',
  year: 'the year',
  grade: 'the grade',
  defects: 'the defects',
  jacket: 'the jacket',
  'jacket-grade': 'the grade of the jacket',
  binding: 'the binding',
  language: 'the language',
  pages: 'the number of pages',
  edition: 'the edition',
  signature: 'the signature',
  'book-club': 'whether it is a book club edition',
} as const;
export type Statement = keyof typeof STATEMENT_WORDS;
// oxlint-disable-next-line typescript/consistent-type-assertions -- the keys of a constant
export const STATEMENTS = Object.keys(STATEMENT_WORDS) as Statement[];

export const isStatement = (text: string): text is Statement => Object.hasOwn(STATEMENT_WORDS, text);

/** Why a parcel came back, as its seller says. */
export const CAME_BACK_WORDS = {
  'wrong-address': 'The address was wrong',
  unclaimed: 'Nobody took it in',
  other: 'Something else',
} as const;
export type CameBack = keyof typeof CAME_BACK_WORDS;

/**
 * Whether the postage of what came back stays with its seller: they spent it, and it came back by its buyer's doing.
 * Without a number nobody can see that it was ever posted.
 */
export const isPostageSpent = ({ cameBack, tracking }: { cameBack: CameBack | null; tracking: string }): boolean =>
  tracking !== '' && (cameBack === 'wrong-address' || cameBack === 'unclaimed');

/** Why an order stands still: a bank looks into its payment. An inquiry has taken no money yet. */
export type FrozenBy = 'dispute' | 'inquiry';

/** The ids of all moves, in the order of an order's life. */
// oxlint-disable-next-line typescript/consistent-type-assertions -- the keys of a constant
export const ORDER_MOVE_IDS = Object.keys(ORDER_MOVES) as OrderMoveId[];

/** A move by its id. */
export const orderMove = (id: OrderMoveId): OrderMove => ORDER_MOVES[id];

/** The moves that lead on from a state, whoever makes them. */
export const movesFrom = (state: OrderState): OrderMoveId[] =>
  ORDER_MOVE_IDS.filter((id) => orderMove(id).from.includes(state));

/** The state after a move that was made in `state`. */
export const stateAfter = (state: OrderState, id: OrderMoveId): OrderState => {
  const { to } = orderMove(id);
  return to === 'same' ? state : to;
};

/** The moves since an order came into its state, with the one that brought it there; of its timeline, oldest first. */
export const movesInState = (
  state: OrderState,
  events: readonly { readonly move: string; readonly state: string }[],
): ReadonlySet<string> =>
  new Set(events.slice(events.findLastIndex((event) => event.state !== state) + 1).map(({ move }) => move));

/**
 * Whether `who` may make a move of an order in `state`. One that stands still waits for the bank: a refund beside a
 * dispute would give the money back twice. While the bank merely inquires, people may end it by giving all of it back.
 */
export const mayMove = (
  state: OrderState,
  id: OrderMoveId,
  who: OrderActor,
  frozenBy: FrozenBy | null = null,
): boolean => {
  const { from, who: makers, frozen } = orderMove(id);
  if (!from.includes(state) || !makers.includes(who)) return false;
  if (frozenBy === null) return frozen !== 'only';
  return frozen === 'only' || (frozenBy === 'inquiry' && frozen === 'inquiry' && who !== 'clock');
};
