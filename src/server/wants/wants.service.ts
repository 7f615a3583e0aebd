import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition } from '#contract/catalog/catalog.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parseCents } from '#contract/money/money.ts';
import { oneLine } from '#contract/text.ts';
import { MOST_WANTS, WANT_MOVES, type WantState } from '#contract/wants/want-states.ts';
import type { Want, WantDraft } from '#contract/wants/wants.ts';
import { SEARCH_TEXT_MAX } from '#contract/catalog/search.ts';
import { writeSearchFeed } from '#server/catalog/feeds/feeds.service.ts';
import { isKnownPlace } from '#server/catalog/places/near.service.ts';
import { AppError, badFields, notFound } from '#server/platform/errors.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { requireBuyer, requireGoodStanding, type SignedIn, type Viewer } from '#server/platform/viewer.ts';
import { isbnIn } from './isbn-in.ts';
import {
  countWantsOf,
  deleteWantRow,
  deleteWantsOf,
  expireWants,
  findBookOfIsbn,
  findWant,
  findWantByToken,
  insertWant,
  listWantRows,
  lockWant,
  lockWantsOf,
  pauseWant,
  renewFeedToken,
  renewWant,
  updateWant,
  type WantFacts,
  type WantRow,
} from './wants.queries.ts';

const BATCH = 100;

const noSuchWant = (): AppError => notFound('There is no such want');

const shown = (
  { userId: _userId, maxCents, since, endsAt, offer, without, token, ...row }: WantRow,
  publicUrl: string,
): Want => ({
  ...row,
  feed: `${publicUrl}/api/feeds/wants/${token}`,
  without: [...without],
  max_price: maxCents === null ? null : maxCents / 100,
  since: since.toISOString(),
  endsAt: endsAt.toISOString(),
  offer: offer && { ...offer, until: new Date(offer.until).toISOString() },
});

/** What the viewer looks for, the newest first. */
export const listWants = async (db: Db, viewer: Viewer, publicUrl: string): Promise<{ wants: Want[] }> => ({
  wants: (await listWantRows(db, requireBuyer(viewer).userId)).map((row) => shown(row, publicUrl)),
});

const priceIn = (draft: WantDraft): number | null | undefined => {
  const { max_price: price } = draft;
  if (price === undefined || price === '') return null;
  const cents = parseCents(price);
  return cents === undefined || cents < MIN_PRICE_CENTS || cents > MAX_PRICE_CENTS ? undefined : cents;
};

/** So long a reader waits for what the book of an ISBN is: a want is made without it, too. */
const LEARNING_MS = 3_000;

/** The book of an ISBN, asked elsewhere where nobody here knows it. */
const bookOf = async (db: Db, isbn13: string, learnIsbn: LearnIsbn | undefined) => {
  const known = await findBookOfIsbn(db, isbn13);
  if (known !== undefined || learnIsbn === undefined) return known;
  const learning = learnIsbn(isbn13).catch(() => undefined);
  await Promise.race([learning, sleep(LEARNING_MS, undefined, { ref: false })]);
  return findBookOfIsbn(db, isbn13);
};

/** What a draft says, or what is wrong with it. */
const factsOf = async (db: Db, draft: WantDraft, learnIsbn: LearnIsbn | undefined): Promise<WantFacts> => {
  const isbn13 = isbnIn(draft.isbn13 ?? '');
  const maxCents = priceIn(draft);
  const [title, author, near] = [oneLine(draft.title ?? ''), oneLine(draft.author ?? ''), oneLine(draft.near ?? '')];
  const problems: FieldErrors = {
    ...(isbn13 === undefined && { isbn13: 'This is no ISBN: a digit is missing or wrong' }),
    ...(maxCents === undefined && { max_price: 'Give a price from $0.50 to $99,999.99, or none' }),
    ...(near !== '' && !(await isKnownPlace(near)) && { near: 'We do not know this place: try the next town' }),
    ...(isbn13 === '' && !/[\p{L}\p{N}]/u.test(title) && { title: 'Say which book: its title, or its ISBN' }),
  };
  if (isbn13 === undefined || maxCents === undefined || Object.keys(problems).length > 0) throw badFields(problems);
  const known = isbn13 !== '' && title === '' ? await bookOf(db, isbn13, learnIsbn) : undefined;
  const condition: Condition | null = draft.condition ?? null;
  return {
    isbn13,
    title: known?.title ?? title,
    author: known?.author.slice(0, 500) ?? author,
    maxCents,
    condition,
    near,
    km: draft.km ?? 25,
    without: draft.without ?? [],
  };
};

const ownWant = async (trx: Trx, reader: SignedIn, id: string) => {
  const want = await lockWant(trx, id);
  if (want?.userId !== reader.userId) throw noSuchWant();
  return want;
};

const read = async (db: Db, id: string, publicUrl: string): Promise<Want> => {
  const row = await findWant(db, id);
  if (row === undefined) throw noSuchWant();
  return shown(row, publicUrl);
};

/** Learns what book an ISBN is, where somebody knows it. */
export type LearnIsbn = (isbn13: string) => Promise<void>;

/** Makes a want, or changes it; it waits since it was made. */
export const putWant = async (
  db: Db,
  viewer: Viewer,
  { id, draft, publicUrl, learnIsbn }: { id: string; draft: WantDraft; publicUrl: string; learnIsbn?: LearnIsbn },
): Promise<Want> => {
  const reader = requireBuyer(viewer);
  requireGoodStanding(reader);
  const facts = await factsOf(db, draft, learnIsbn);
  return db.transaction().execute(async (trx) => {
    await lockWantsOf(trx, reader.userId);
    const before = await lockWant(trx, id);
    if (before !== undefined) {
      if (before.userId !== reader.userId) throw noSuchWant();
      await updateWant(trx, id, facts);
      return read(trx, id, publicUrl);
    }
    if ((await countWantsOf(trx, reader.userId)) >= MOST_WANTS)
      throw new AppError('too_many', `You look for ${MOST_WANTS} books already: end one first`);
    await insertWant(trx, id, reader.userId, facts);
    return read(trx, id, publicUrl);
  });
};

const cannotPause = (state: WantState): AppError =>
  new AppError(
    'want_state',
    state === 'offered' ? 'A copy is offered to you: take it or pass it on first' : 'You look for this book no more',
  );

/** Pauses a want, goes on with it, or renews it. */
export const setWantState = (
  db: Db,
  viewer: Viewer,
  { id, state, publicUrl }: { id: string; state: 'active' | 'paused'; publicUrl: string },
): Promise<Want> => {
  const reader = requireBuyer(viewer);
  if (state === 'active') requireGoodStanding(reader);
  return db.transaction().execute(async (trx) => {
    const want = await ownWant(trx, reader, id);
    if (state === 'active') await renewWant(trx, id);
    else if ('pause' in WANT_MOVES[want.state]) await pauseWant(trx, id);
    else if (want.state !== 'paused') throw cannotPause(want.state);
    return read(trx, id, publicUrl);
  });
};

/** Gives the feed of a want another address. */
export const changeWantFeed = (
  db: Db,
  viewer: Viewer,
  { id, publicUrl }: { id: string; publicUrl: string },
): Promise<Want> => {
  const reader = requireBuyer(viewer);
  return db.transaction().execute(async (trx) => {
    await ownWant(trx, reader, id);
    await renewFeedToken(trx, id);
    return read(trx, id, publicUrl);
  });
};

/** What is on the shelf of a want as a feed, for whoever has its address: as a search for it finds. */
export const writeWantFeed = async (db: Db, publicUrl: string, token: string) => {
  const want = await findWantByToken(db, token);
  if (want === undefined) throw notFound('This address is no longer good');
  const { isbn13, title, author, maxCents, condition, near, km } = want;
  return writeSearchFeed(db, publicUrl, {
    q: (isbn13 === '' ? `${title} ${author}` : isbn13).trim().slice(0, SEARCH_TEXT_MAX),
    ...(maxCents !== null && { max: (maxCents / 100).toFixed(2) }),
    ...(condition !== null && { condition: condition === 'Good' ? 'Excellent,Good' : condition }),
    ...(near !== '' && { near, within: String(km) as '10' | '25' | '100' }),
  });
};

/** Ends a want; 0 where there is none. */
export const deleteWant = (db: Db, viewer: Viewer, id: string): Promise<{ deletedCount: number }> => {
  const reader = requireBuyer(viewer);
  return db.transaction().execute(async (trx) => {
    const want = await lockWant(trx, id);
    if (want === undefined) return { deletedCount: 0 };
    if (want.userId !== reader.userId) throw noSuchWant();
    await deleteWantRow(trx, id);
    return { deletedCount: 1 };
  });
};

/** Ends wants that nobody renewed, which the next digest of their readers says; answers how many. */
export const expireDueWants = async (db: Db): Promise<number> => {
  let ended = 0;
  for (;;) {
    const batch = await expireWants(db, BATCH);
    ended += batch;
    if (batch < BATCH) return ended;
  }
};

/** What somebody looks for, for the export. */
export const wantsToExport = async (db: Db, userId: string, publicUrl: string): Promise<Want[]> =>
  (await listWantRows(db, userId)).map((row) => shown(row, publicUrl));

/** Somebody who leaves wants nothing any more. */
export const forgetWants = (trx: Trx, userId: string): Promise<void> => deleteWantsOf(trx, userId);
