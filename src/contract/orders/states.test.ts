import { describe, expect, it } from 'vitest';
import { ORDER_DEADLINES } from './deadlines.ts';
import type { ClockMove, OrderActor, OrderState } from './move.ts';
import type { OrderMoveId } from './moves.ts';
import {
  mayMove,
  movesFrom,
  movesInState,
  ORDER_ENDS,
  ORDER_MOVE_IDS,
  ORDER_STATES,
  orderMove,
  OUTCOME_WORDS,
  stateAfter,
} from './states.ts';

/** An order as it can be: its state, what time does with it next, and whether the bank has stopped it. */
interface Situation {
  readonly state: OrderState;
  readonly next: ClockMove | null;
  readonly isFrozen: boolean;
}

const ACTORS: readonly OrderActor[] = ['buyer', 'seller', 'admin', 'clock', 'settle', 'bank'];

const after = ({ state, next, isFrozen }: Situation, id: OrderMoveId): Situation => {
  const { due } = orderMove(id);
  const to = stateAfter(state, id);
  if (due === 'none') return { state: to, next: null, isFrozen: false };
  if (due === 'stopped') return { state: to, next, isFrozen: true };
  if (due === 'unchanged' || due === 'longer') return { state: to, next, isFrozen };
  return { state: to, next: due === 'rest' ? next : due.move, isFrozen: false };
};

const movesOf = ({ state, next, isFrozen }: Situation): OrderMoveId[] =>
  movesFrom(state).filter((id) =>
    ACTORS.some((who) => mayMove(state, id, who, isFrozen ? 'dispute' : null) && (who !== 'clock' || id === next)),
  );

/** Every situation that an order can come into, by walking all moves from its payment. */
const situations = (): Situation[] => {
  const found = new Map<string, Situation>();
  const walk = (situation: Situation): void => {
    const name = JSON.stringify(situation);
    if (found.has(name)) return;
    found.set(name, situation);
    for (const id of movesOf(situation)) walk(after(situation, id));
  };
  walk(after({ state: 'paid', next: null, isFrozen: false }, 'settle'));
  return [...found.values()];
};

const ALL = situations();
/** What ended by a bank's decision has ended otherwise, once an appeal against that is won. */
const ON_APPEAL: readonly OrderMoveId[] = ['win-appeal', 'win-unposted'];
const isEnd = (state: OrderState): boolean => ORDER_ENDS.includes(state);

describe('an order', () => {
  it('comes into every state', () => {
    expect(new Set(ALL.map(({ state }) => state))).toEqual(new Set(ORDER_STATES));
  });

  it('can make every move', () => {
    const made = new Set<string>(['settle', ...ALL.flatMap((situation) => movesOf(situation))]);
    expect(ORDER_MOVE_IDS.filter((id) => !made.has(id))).toEqual([]);
  });

  it('ends by time alone, whatever anybody leaves undone', () => {
    for (const start of ALL.filter(({ isFrozen }) => !isFrozen)) {
      let at = start;
      for (let steps = 0; !isEnd(at.state); steps += 1) {
        const { next, state } = at;
        expect(steps, JSON.stringify(start)).toBeLessThan(5);
        if (next === null) throw new Error(`Nothing is due in ${state}.`);
        expect(mayMove(state, next, 'clock'), `${next} of ${state}`).toBe(true);
        at = after(at, next);
      }
    }
  });

  it('that stands still waits for the bank, which lets it go on or ends it', () => {
    const frozen = ALL.filter(({ isFrozen }) => isFrozen);
    expect(frozen.length).toBeGreaterThan(6);
    for (const situation of frozen) {
      const moves = movesOf(situation);
      expect(moves.filter((id) => !orderMove(id).who.includes('bank'))).toEqual([]);
      expect(after(situation, 'thaw')).toEqual({ ...situation, isFrozen: false });
      expect(moves.some((id) => isEnd(stateAfter(situation.state, id)))).toBe(true);
      for (const id of movesFrom(situation.state)) expect(mayMove(situation.state, id, 'clock', 'inquiry')).toBe(false);
    }
  });

  it('whose problem nobody decides is its buyer’s after 60 days', () => {
    const asked = after({ state: 'problem', next: 'refund-problem', isFrozen: false }, 'ask-admin');
    expect(asked.next).toBe('refund-problem');
    expect(orderMove('ask-admin').due).toMatchObject({ after: 'decide' });
    expect(ORDER_DEADLINES.decide).toEqual({ kind: 'days', default: 60, variable: null });
    expect(orderMove('refund-problem')).toMatchObject({ to: 'closed', outcome: 'refunded', borneBy: ['seller'] });
  });

  it('that has ended stays so, and says how', () => {
    for (const id of ORDER_MOVE_IDS) {
      const { to, outcome, due, from } = orderMove(id);
      if (to !== 'same' && isEnd(to)) {
        expect(OUTCOME_WORDS[outcome ?? 'lost'], id).toMatch(/^[A-Z]/);
        expect([outcome === undefined, due], id).toEqual([false, 'none']);
      } else expect(outcome !== undefined, id).toBe(ON_APPEAL.includes(id));
      if (from.some(isEnd)) expect(to, id).toBe('same');
    }
    expect(movesFrom('cancelled')).toEqual(['win-unposted']);
  });
});

describe('the money of an order', () => {
  it('is released exactly when the order is closed, and given back exactly when it is cancelled unless the bank did', () => {
    for (const id of ORDER_MOVE_IDS) {
      const { to, posts } = orderMove(id);
      expect(posts.includes('release'), id).toBe(to === 'closed');
      if (to === 'cancelled') expect(posts, id).toContain(id === 'lose-unposted' ? 'dispute-lost' : 'refund');
    }
  });

  it('says who bears the fee wherever it is given back, and nowhere else', () => {
    for (const id of ORDER_MOVE_IDS) {
      const { posts, borneBy } = orderMove(id);
      const isRefund = posts.includes('refund') || posts.includes('part-refund');
      expect(borneBy !== undefined, id).toBe(isRefund);
    }
  });

  it('goes back by nobody’s hand while there is a dispute, and all of it while there is an inquiry', () => {
    expect(mayMove('paid', 'cancel', 'buyer', 'dispute')).toBe(false);
    expect(mayMove('paid', 'cancel', 'buyer', 'inquiry')).toBe(true);
    expect(mayMove('problem', 'refund-problem', 'admin', 'inquiry')).toBe(true);
    expect(mayMove('problem', 'refund-part', 'admin', 'inquiry')).toBe(false);
    expect(mayMove('paid', 'post', 'seller', 'inquiry')).toBe(false);
  });
});

describe('a move', () => {
  it('counts as made while the order is in the state that it was made in', () => {
    const line = (move: string, state: OrderState) => ({ move, state });
    const events = [line('settle', 'paid'), line('post', 'posted'), line('wait-longer', 'posted')];
    expect([...movesInState('posted', events)]).toEqual(['post', 'wait-longer']);
    expect([...movesInState('paid', events.slice(0, 1))]).toEqual(['settle']);
    expect([...movesInState('problem', [...events, line('report-missing', 'problem')])]).toEqual(['report-missing']);
    expect(movesInState('posted', []).size).toBe(0);
  });

  it('is made by who may, from where it leads on', () => {
    expect(mayMove('paid', 'post', 'seller')).toBe(true);
    expect(mayMove('paid', 'post', 'buyer')).toBe(false);
    expect(mayMove('posted', 'post', 'seller')).toBe(false);
    expect(mayMove('posted', 'cancel', 'buyer')).toBe(false);
    // Where they may withdraw: src/server/orders/order.policy.ts.
    expect(mayMove('ready', 'cancel', 'buyer')).toBe(true);
    expect(mayMove('ready', 'refuse', 'seller')).toBe(true);
    expect(mayMove('posted', 'thaw', 'bank')).toBe(false);
    expect(mayMove('posted', 'thaw', 'bank', 'inquiry')).toBe(true);
    expect(ORDER_STATES.some((state) => mayMove(state, 'settle', 'settle'))).toBe(false);
  });

  it('of people is mailed to the other side, unless it only asks for patience', () => {
    const quiet = ORDER_MOVE_IDS.filter((id) => orderMove(id).mails.length === 0);
    expect(quiet).toEqual(['wait-longer']);
  });
});
