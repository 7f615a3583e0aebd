import { describe, expect, test } from 'vitest';
import type { OrderMoveId } from '#contract/orders/moves.ts';
import { movesFrom, orderMove, ORDER_ENDS, ORDER_MOVE_IDS, ORDER_STATES } from '#contract/orders/states.ts';
import type { Order, OrderEvent } from '#contract/orders/orders.ts';
import { trackingUrl } from './carriers.ts';
import { codeLink, keepCode, keptCode } from './kept-code.ts';
import { moveInput, moveProblems, namesOf, type MoveValues } from './move-input.ts';
import { mostOf } from './move-fields.tsx';
import { mainMoveOf, moveWords, otherMovesOf } from './moves.ts';
import { complaintOf, headingOf, phaseOf, stepOf } from './standing.ts';
import { eventWords } from './timeline-words.ts';

const AT = '2026-11-23T09:00:00.000Z';

const event = (move: string, by = 'seller'): OrderEvent => ({ move, by, state: 'paid', reason: '', at: AT });

const book = (bookingId: string, refunded = 0): Order['books'][number] => ({
  bookingId,
  listingId: 'l',
  title: 'The Odyssey',
  authors: 'Homer',
  image_url: '',
  condition: 'Good',
  details: '',
  photos: [],
  promise: null,
  price: 8.5,
  postage: 1,
  refunding: 0,
  refunded,
});

const order = (parts: Partial<Order> = {}): Order => ({
  _id: 'o',
  side: 'buyer',
  state: 'paid',
  outcome: '',
  frozen: false,
  delivery: 'post',
  books: [book('b')],
  postage: 4,
  total: 12.5,
  buyer: 'Nora',
  seller: 'Marlow Books',
  sellerSlug: 'sam',
  phone: '',
  address: null,
  place: '',
  times: '',
  carrier: '',
  tracking: '',
  code: '',
  problem: null,
  due: { move: 'cancel-unposted', at: AT },
  complainBy: null,
  mayWithdraw: false,
  withdrawBy: null,
  moves: [],
  mayWrite: true,
  inquiry: false,
  cameBack: null,
  paidAt: AT,
  events: [event('settle', 'settle')],
  ...parts,
  ...(parts.events && { events: parts.events.map((line) => ({ ...line, state: parts.state ?? 'paid' })) }),
});

const SIDES = ['buyer', 'seller', 'admin'] as const;
/** Nobody is offered these by the shop. */
const NOBODYS: readonly OrderMoveId[] = [
  'withdraw',
  'cancel-unposted',
  'cancel-uncollected',
  'refund-order',
  'call-off',
];

const problem: NonNullable<Order['problem']> = {
  kind: 'damaged',
  bookingId: 'b',
  photos: [],
  statement: null,
  words: 'Torn',
  offer: null,
  sendBack: '',
};

describe('an order', () => {
  test.each(SIDES)('says its state, what to do and by when in every state to its %s', (side) => {
    for (const state of ORDER_STATES.filter((one) => !ORDER_ENDS.includes(one))) {
      const seen = order({ side, state, problem });
      expect(headingOf(seen), state).not.toBe('');
      expect(stepOf(seen), state).toContain('{at}');
    }
    expect(headingOf(order({ side, state: 'cancelled', outcome: 'not-posted' }))).toBe('Not posted in time, cancelled');
    expect(headingOf(order({ side, state: 'closed', outcome: 'before' }))).toBe('Completed');
  });

  test('has a word and a sentence for each move that the shop offers to somebody', () => {
    for (const side of SIDES) {
      for (const state of ORDER_STATES) {
        const moves = movesFrom(state).filter((id) => orderMove(id).who.includes(side) && !NOBODYS.includes(id));
        const seen = order({ side, state, moves, problem });
        for (const id of moves) expect(moveWords(seen, id)?.label, `${side}: ${id}`).toBeTruthy();
      }
    }
    expect(moveWords(order(), 'constructor')).toBeUndefined();
  });

  test('tells each move in its timeline', () => {
    for (const move of ORDER_MOVE_IDS) {
      expect(eventWords(event(move), order()), move).not.toMatch(/changed the order$/);
      expect(eventWords(event(move, 'clock'), order()), move).not.toBe('');
    }
    expect(eventWords(event('cancel', 'buyer'), order())).toBe('You cancelled the order');
    expect(eventWords(event('cancel', 'buyer'), order({ side: 'seller' }))).toBe('Nora cancelled the order');
    expect(eventWords(event('receive', 'clock'), order())).toMatch(/counts as received/);
  });

  test('asks its seller to post it, and its buyer for nothing', () => {
    const moves = ['post', 'make-ready', 'refuse'];
    expect(mainMoveOf(order({ side: 'seller', moves }))).toBe('post');
    expect(otherMovesOf(order({ side: 'seller', moves: ['post', 'refuse'] }))).toEqual(['refuse']);
    expect(mainMoveOf(order({ moves: ['cancel'] }))).toBeUndefined();
    expect(otherMovesOf(order({ moves: ['cancel'] }))).toEqual(['cancel']);
  });

  test('that the bank stops asks for nothing, and is not to be posted', () => {
    const seen = order({ side: 'seller', frozen: true, due: null, moves: [] });
    expect(headingOf(seen)).toBe('Stopped by the bank');
    expect(stepOf(seen)).toMatch(/^Please do not post it\./);
    expect(stepOf({ ...seen, state: 'posted' })).not.toContain('do not post');
    expect(mainMoveOf({ ...seen, moves: ['post'] })).toBeUndefined();
  });

  test('that did not come and has no number leaves its seller nothing to answer', () => {
    const missing: Order['problem'] = {
      kind: 'missing',
      bookingId: null,
      photos: [],
      statement: null,
      words: 'Nothing',
      offer: null,
      sendBack: '',
    };
    const seen = order({ side: 'seller', state: 'problem', problem: missing });
    expect(stepOf(seen)).toMatch(/without a number.* the money goes back/);
    expect(stepOf({ ...seen, tracking: '94' })).toMatch(/^Answer by/);
    expect(stepOf({ ...seen, side: 'buyer' })).toMatch(/without a number/);
  });

  test('whose money waits longer than its buyer may complain says both', () => {
    const received = { state: 'received', moves: ['report-problem'], due: { move: 'complete', at: AT } } as const;
    const sooner = new Date(Date.parse(AT) - 86_400_000).toISOString();
    expect(complaintOf(order({ ...received, moves: ['report-problem'], complainBy: AT }))).toBe('');
    const seen = order({ ...received, moves: ['report-problem'], complainBy: sooner });
    expect(complaintOf(seen)).toContain('say so by {at}');
    expect(stepOf(seen)).not.toContain('say so');
    expect(complaintOf({ ...seen, moves: [] })).toBe('');
    expect(complaintOf({ ...seen, side: 'seller' })).toContain('may report a problem until {at}');
  });

  test('that is cancelled does not say numbers that an operator may have set otherwise', () => {
    const cancel = moveWords(order({ moves: ['cancel'] }), 'cancel');
    expect(cancel?.says).toMatch(/Only so many paid orders can be cancelled in a month/);
    expect(cancel?.says).not.toMatch(/\b(three|[0-9]+)\b/);
  });

  test('that nobody picks up can be ended by an admin, who reads what that does', () => {
    const seen = order({ side: 'admin', state: 'ready', delivery: 'pickup', moves: ['cancel-uncollected'] });
    expect(otherMovesOf(seen)).toEqual(['cancel-uncollected']);
    expect(moveWords(seen, 'cancel-uncollected')).toMatchObject({ asks: true, isDanger: true });
  });

  test('whose buyer takes an offer sends the amount that they read', () => {
    const seen = order({ state: 'problem', problem: { ...problem, offer: 2.5 }, moves: ['refund-part'] });
    expect(moveWords(seen, 'refund-part')).toMatchObject({ label: 'Accept $2.50', sends: { amount: 2.5 } });
    expect(moveWords({ ...seen, side: 'admin' }, 'refund-part')?.sends).toEqual({});
  });

  test('that came back says how much goes back', () => {
    const events = [event('come-back')];
    const back = order({ state: 'returning', events, cameBack: 'unclaimed', tracking: '94' });
    expect(stepOf(back)).toContain('without the spent postage');
    expect(stepOf({ ...back, tracking: '' })).toContain('the money goes back to you');
    expect(stepOf({ ...back, cameBack: 'other' })).toContain('the money goes back to you');
    expect(moveWords(back, 'close-returned')?.says).toContain('The postage does not');
  });

  test('knows how far a problem and a way back are', () => {
    const returning = (...moves: string[]) =>
      phaseOf(order({ state: 'returning', events: moves.map((move) => event(move)) }));
    expect(phaseOf(order({ state: 'problem', problem }))).toBe('asked');
    expect(phaseOf(order({ state: 'problem', problem: { ...problem, offer: 2 } }))).toBe('offered');
    expect(phaseOf(order({ state: 'problem', problem, events: [event('ask-admin')] }))).toBe('deciding');
    expect(returning('ask-back')).toBe('to-post-back');
    expect(returning('ask-back', 'post-back')).toBe('on-way-back');
    expect(returning('come-back')).toBe('came-back');
    expect(returning('come-back', 'ask-admin')).toBe('deciding');
    const moves = ['post-back', 'keep-unreturned'];
    const asked = order({ state: 'returning', moves, events: [event('ask-back')] });
    expect(mainMoveOf(asked)).toBe('post-back');
    expect(otherMovesOf(asked)).toEqual(['keep-unreturned']);
    const cameBack = order({
      state: 'returning',
      moves: ['close-returned', 'ask-admin'],
      events: [event('come-back')],
    });
    expect(mainMoveOf(cameBack)).toBe('close-returned');
  });
});

const EMPTY: MoveValues = {
  carrier: '',
  tracking: '',
  none: '',
  place: '',
  first: '',
  second: '',
  code: '',
  reason: '',
  bookingId: '',
  kind: '',
  words: '',
  amount: '',
  why: '',
  sendBack: '',
};

test('a problem that the shop did not decide says so in its timeline', () => {
  const events = [event('ask-admin'), event('refund-problem', 'clock')];
  expect(eventWords(event('refund-problem', 'clock'), order({ state: 'closed', events }))).toMatch(
    /^We did not decide/,
  );
  expect(eventWords(event('refund-problem', 'clock'), order())).toMatch(/^Nobody answered/);
  expect(eventWords(event('keep-unreturned', 'admin'), order())).toBe('The shop let the sale stand');
});

describe('the form of a move', () => {
  test('says the most that can go back: of the book that is complained about, or of all', () => {
    const books = [{ ...book('a'), refunded: 2 }, book('b')];
    const seen = order({ state: 'problem', books, problem });
    expect(mostOf(seen)).toBe(8.5);
    expect(mostOf({ ...seen, problem: { ...problem, bookingId: null } })).toBe(15);
    expect(mostOf({ ...seen, state: 'returning', problem: null })).toBe(15);
    expect(mostOf({ ...seen, state: 'closed' })).toBe(9.5);
    expect(mostOf({ ...seen, state: 'closed', books: [book('a', 8.5)] })).toBe(1);
  });

  test('asks for carrier and number, or for the word that there is none', () => {
    const names = namesOf(['post']);
    expect(Object.keys(moveProblems(names, EMPTY))).toEqual(['carrier', 'tracking']);
    expect(moveProblems(names, { ...EMPTY, none: 'on' })).toEqual({});
    expect(moveInput('post', names, { ...EMPTY, carrier: 'USPS', tracking: ' 94 ' })).toEqual({
      move: 'post',
      carrier: 'USPS',
      tracking: '94',
    });
    expect(moveInput('post', names, { ...EMPTY, none: 'on' })).toEqual({ move: 'post' });
  });

  test('takes a code as people write it, two times as one text, and all of the books as none', () => {
    const code = { ...EMPTY, code: '123 456' };
    expect(moveProblems(namesOf(['code']), code)).toEqual({});
    expect(moveInput('hand-over', namesOf(['code']), code)).toEqual({ move: 'hand-over', code: '123456' });
    expect(moveProblems(namesOf(['code']), { ...EMPTY, code: '12345' })).toHaveProperty('code');
    const times = { ...EMPTY, place: 'Here', first: 'Now', second: 'Then' };
    expect(moveInput('make-ready', namesOf(['pickup']), times)).toMatchObject({ place: 'Here', times: 'Now or Then' });
    const all = moveInput('report-missing', namesOf(['book', 'words']), { ...EMPTY, bookingId: 'all', words: 'Gone' });
    expect(all).toEqual({ move: 'report-missing', words: 'Gone' });
    const wrong = (kind: string) => moveInput('report-problem', namesOf(['kind']), { ...EMPTY, kind });
    expect(wrong('not-as-described:condition')).toMatchObject({
      kind: 'not-as-described',
      statement: 'condition',
    });
    expect(wrong('damaged')).toEqual({ move: 'report-problem', kind: 'damaged' });
    expect(moveProblems(namesOf(['amount']), { ...EMPTY, amount: '0' })).toHaveProperty('amount');
  });
});

test('a parcel is followed at carriers that are known, by its number', () => {
  expect(trackingUrl('USPS', '94 00')).toBe('https://tools.usps.com/go/TrackConfirmAction?tLabels=9400');
  expect(trackingUrl('USPS', '')).toBeUndefined();
  expect(trackingUrl('constructor', '1')).toBeUndefined();
});

test('a link tells the code in its fragment, and nothing else is taken for one', () => {
  keepCode('o', new URL(codeLink('https://shop.example', 'o', '012345')).hash);
  expect(keptCode('o')).toBe('012345');
  keepCode('p', '#code=12');
  expect(keptCode('p')).toBe('');
});
