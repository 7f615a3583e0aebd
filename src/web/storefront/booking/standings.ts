import { listStandings, MAX_STANDINGS, type Standing } from '#contract/bookings/standing.ts';
import { call } from '#web/api/call.ts';
import { sessionState, subscribeToSession } from '#web/api/session.ts';
import { shopNow } from '#web/api/shop-clock.ts';

// How whoever is signed in stands to the copies on the page. The pages themselves are the same for everyone; this is
// filled in once the session is known, with one call for all copies that appear together.

/** A hold that ends is asked about again a little after; not more often than this, as clocks differ. */
const AFTER_HOLD_MS = 2_000;
const SHORTEST_TIMER_MS = 15_000;
/** As far as a timer reaches; later it is set anew. */
const LONGEST_TIMER_MS = 60 * 60_000;

const listeners = new Set<() => void>();
/** The copies on the page, and in how many places each stands. */
const shown = new Map<string, number>();
const wanted = new Set<string>();
let known: ReadonlyMap<string, Standing> = new Map();
let knownTo: string | undefined;
/** Counts what was learned otherwise: an answer asked for before is older than that. */
let learned = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const viewerOf = (): string | undefined => {
  const state = sessionState();
  return state.status === 'in' ? state.user.uid : undefined;
};

const become = (next: ReadonlyMap<string, Standing>): void => {
  known = next;
  clearTimeout(timer);
  const ends = [...next.values()].flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
  if (ends.length > 0) {
    const wait = Math.min(...ends) - shopNow().getTime() + AFTER_HOLD_MS;
    timer = setTimeout(askForAll, Math.min(Math.max(wait, SHORTEST_TIMER_MS), LONGEST_TIMER_MS));
  }
  for (const listener of listeners) listener();
};

const take = (ids: readonly string[], rows: readonly Standing[]): void => {
  const next = new Map(known);
  for (const id of ids) next.delete(id);
  for (const row of rows) next.set(row.listingId, row);
  become(next);
};

const ask = async (ids: readonly string[]): Promise<void> => {
  const [viewer, before] = [viewerOf(), learned];
  const rows = await call(listStandings, { query: { ids: ids.join(',') } });
  if (viewer !== viewerOf()) return;
  if (before === learned) take(ids, rows);
  else want(ids);
};

const flush = (): void => {
  const ids = [...wanted];
  wanted.clear();
  if (viewerOf() === undefined) return;
  for (let at = 0; at < ids.length; at += MAX_STANDINGS) {
    // Without it the page is still whole, and coming back to it asks again.
    ask(ids.slice(at, at + MAX_STANDINGS)).catch(() => undefined);
  }
};

const want = (ids: Iterable<string>): void => {
  const isFirst = wanted.size === 0;
  for (const id of ids) wanted.add(id);
  // All that appear in one step of the page are asked about together.
  if (isFirst && wanted.size > 0) queueMicrotask(flush);
};

const askForAll = (): void => want(shown.keys());

const onReturn = (): void => {
  if (document.visibilityState === 'visible') askForAll();
};

const onSession = (): void => {
  const viewer = viewerOf();
  if (viewer === knownTo) return;
  knownTo = viewer;
  become(new Map());
  askForAll();
};

let leaveSession: () => void = () => undefined;

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    leaveSession = subscribeToSession(onSession);
    addEventListener('focus', onReturn);
    document.addEventListener('visibilitychange', onReturn);
    onSession();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    leaveSession();
    removeEventListener('focus', onReturn);
    document.removeEventListener('visibilitychange', onReturn);
  };
};

/** Asks about a copy for as long as it is on the page. */
const show = (id: string): (() => void) => {
  const places = shown.get(id) ?? 0;
  shown.set(id, places + 1);
  // In a second place of the page it is asked about already.
  if (places === 0) want([id]);
  return () => {
    const left = (shown.get(id) ?? 1) - 1;
    if (left === 0) shown.delete(id);
    else shown.set(id, left);
  };
};

/** Watches the standing to a copy: `listener` is called when any changes, until the answered function is called. */
export const watchStanding = (id: string, listener: () => void): (() => void) => {
  const hide = show(id);
  const leave = subscribe(listener);
  return () => {
    hide();
    leave();
  };
};

export const standingTo = (id: string): Standing | undefined => known.get(id);

/** Takes what a call has just made of a copy; undefined: it is nothing to the viewer any more. */
export const learnStanding = (id: string, standing: Omit<Standing, 'listingId'> | undefined): void => {
  learned += 1;
  take([id], standing === undefined ? [] : [{ ...standing, listingId: id }]);
};
