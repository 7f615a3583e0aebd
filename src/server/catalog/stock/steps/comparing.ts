// What a row of a stock file comes to beside the copies that its seller has: pure, so that the dry run and the writing
// decide alike.
import type { StockAction } from '#contract/stock/stock-files.ts';
import type { Condition } from '#contract/catalog/catalog.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';
import type { PreparedRow, OwnFacts } from '#server/catalog/stock/formats/prepare.ts';
import type { Lack } from '#server/catalog/stock/stock.table.ts';

/** A copy of a SKU as it is now. */
export interface CopyNow {
  readonly id: string;
  readonly number: number;
  readonly state: ListingState;
  readonly isPausedAlone: boolean;
  readonly waitsForLook: boolean;
  /** Sold since the file was written, here or over the counter, by the shop's clock. */
  readonly isSoldSince: boolean;
  readonly facts: CopyFacts;
  readonly own: OwnNow;
  /** Its condition follows from what is said of its defects. */
  readonly isGraded: boolean;
}

/** What a listing says, as it is stored. */
export interface CopyFacts {
  readonly category_id: string;
  readonly title: string;
  readonly authors: string;
  readonly isbn13: string;
  readonly published_year: number | null;
  readonly publisher: string;
  readonly image_url: string;
  readonly image_source: string;
  readonly original_cents: number;
  readonly original_known: boolean;
  readonly resale_cents: number;
  readonly years_of_use: number;
  readonly years_known: boolean;
  readonly location: string;
  readonly phone: string;
  readonly details: string;
  readonly condition: Condition;
}

export interface OwnNow {
  readonly shelf: string;
  readonly cost_cents: number | null;
  readonly note: string;
  readonly grade_text: string;
}

/** What copies are whose rows do not say it. */
export interface CopyDefaults {
  readonly categoryId: string | undefined;
  readonly condition: Condition | undefined;
  readonly resaleCents: number | undefined;
  readonly location: string | undefined;
  readonly phone: string | undefined;
  /** The title and authors of its edition. */
  readonly edition: { readonly title: string; readonly authors: string } | undefined;
}

/** What is to be done about a row. */
export interface Plan {
  readonly action: StockAction;
  readonly reason: string;
  readonly lacks: Lack | undefined;
  /** New copies, all alike, numbered from `from`. */
  readonly add: { readonly count: number; readonly from: number; readonly facts: CopyFacts } | undefined;
  readonly change: readonly { readonly id: string; readonly before: CopyFacts; readonly after: CopyFacts }[];
  readonly own: readonly { readonly id: string; readonly after: OwnNow }[];
  readonly withdraw: readonly string[];
  readonly pause: readonly string[];
  readonly resume: readonly string[];
  /** Free copies that stay, whose passports may learn something. */
  readonly stays: readonly { readonly id: string; readonly isbn13: string }[];
  readonly soldHere: number;
  /** Copies that a buyer has a claim on, and that would have been changed or taken away. */
  readonly kept: number;
}

const isFree = ({ state }: CopyNow): boolean => state === 'available' || state === 'paused';
const isThere = (copy: CopyNow): boolean => isFree(copy) || copy.state === 'held';

/** A picture that was chosen by hand stays; one that was fetched from the address is that address. */
const picturesOf = (row: PreparedRow, now: CopyFacts): Pick<CopyFacts, 'image_url' | 'image_source'> => {
  const { image_url, image_source } = now;
  const isByHand = image_url !== '' && image_source === '' && !image_url.startsWith('https://');
  const isSame = row.imageUrl === image_url || row.imageUrl === image_source;
  return row.imageUrl === undefined || isByHand || isSame
    ? { image_url, image_source }
    : { image_url: row.imageUrl, image_source: '' };
};

const bare = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Formats that have no line breaks make spaces of them, and short ones cut a text with an ellipsis. */
const isSameText = (said: string | undefined, now: string): boolean => {
  if (said === undefined) return false;
  const text = bare(said);
  return text === bare(now) || (text.endsWith('…') && bare(now).startsWith(text.slice(0, -1)));
};

/** What a copy says once a row was written: what the row does not say stays. */
const factsAfter = (row: PreparedRow, now: CopyFacts, isGraded: boolean): CopyFacts => {
  const resale_cents = row.resaleCents ?? now.resale_cents;
  const original_known = now.original_known || row.originalCents !== undefined;
  return {
    ...now,
    ...picturesOf(row, now),
    category_id: row.categoryId ?? now.category_id,
    title: row.title ?? now.title,
    authors: row.authors ?? now.authors,
    isbn13: row.isbn13 ?? now.isbn13,
    published_year: row.publishedYear ?? now.published_year,
    publisher: row.publisher ?? now.publisher,
    resale_cents,
    // A price that is not known saves nothing on the price that is asked, and follows it.
    original_cents: row.originalCents ?? (original_known ? now.original_cents : resale_cents),
    original_known,
    years_of_use: row.yearsOfUse ?? now.years_of_use,
    years_known: now.years_known || row.yearsOfUse !== undefined,
    location: row.location ?? now.location,
    phone: row.phone ?? now.phone,
    details: isSameText(row.details, now.details) ? now.details : (row.details ?? now.details),
    condition: isGraded ? now.condition : (row.condition ?? now.condition),
  };
};

const isSame = <R extends object>(one: R, other: R): boolean =>
  Object.entries(one).every(([name, value]) => value === other[name as keyof R]);

const ownAfter = (own: OwnFacts, now: OwnNow): OwnNow => ({
  shelf: own.shelf ?? now.shelf,
  cost_cents: own.costCents ?? now.cost_cents,
  note: own.note ?? now.note,
  grade_text: own.gradeText ?? now.grade_text,
});

export const NOTHING_OWN: OwnNow = { shelf: '', cost_cents: null, note: '', grade_text: '' };

/** What the seller alone sees of a new copy. */
export const ownOf = (row: PreparedRow): OwnNow => ownAfter(row.own, NOTHING_OWN);

const LACKING: Record<Lack, string> = {
  price: 'It has no price: mend it, or give one for all such rows above',
  condition: 'No word of it gives a condition: mend it, or choose one for all such rows above',
  category: 'Its category is none of the shop’s: choose one for all such rows above',
  location: 'It does not say where the book is: say it for all rows above',
};

/** A new copy of a row, or what it lacks. */
const newFacts = (row: PreparedRow, defaults: CopyDefaults): CopyFacts | { lacks: Lack } | { problem: string } => {
  const title = row.title ?? defaults.edition?.title;
  if (title === undefined)
    return {
      problem: row.isbn13 === undefined ? 'It has no title' : 'It has no title, and its ISBN is not known here yet',
    };
  const resale = row.resaleCents ?? defaults.resaleCents;
  if (resale === undefined) return { lacks: 'price' };
  const condition = row.condition ?? defaults.condition;
  if (condition === undefined) return { lacks: 'condition' };
  const categoryId = row.categoryId ?? defaults.categoryId;
  if (categoryId === undefined) return { lacks: 'category' };
  const location = row.location ?? defaults.location;
  if (location === undefined) return { lacks: 'location' };
  return {
    category_id: categoryId,
    title,
    authors: row.authors ?? defaults.edition?.authors ?? '',
    isbn13: row.isbn13 ?? '',
    published_year: row.publishedYear ?? null,
    publisher: row.publisher ?? '',
    image_url: row.imageUrl ?? '',
    image_source: '',
    original_cents: row.originalCents ?? resale,
    original_known: row.originalCents !== undefined,
    resale_cents: resale,
    years_of_use: row.yearsOfUse ?? 0,
    years_known: row.yearsOfUse !== undefined,
    location,
    phone: row.phone ?? defaults.phone ?? '',
    details: row.details ?? '',
    condition,
  };
};

const EMPTY: Plan = {
  action: 'unchanged',
  reason: '',
  lacks: undefined,
  add: undefined,
  change: [],
  own: [],
  withdraw: [],
  pause: [],
  resume: [],
  stays: [],
  soldHere: 0,
  kept: 0,
};

const refused = (reason: string, lacks?: Lack): Plan => ({ ...EMPTY, action: 'refused', reason, lacks });

const copies = (count: number): string => (count === 1 ? 'one copy' : `${count} copies`);

const reasonOf = ({ soldHere, kept }: Pick<Plan, 'soldHere' | 'kept'>): string =>
  [
    ...(soldHere > 0
      ? [`${soldHere === 1 ? 'One copy was' : `${soldHere} copies were`} sold since the file was written`]
      : []),
    ...(kept > 0 ? [`${kept === 1 ? 'One copy stays' : `${copies(kept)} stay`} as it is: a buyer has it`] : []),
  ].join('. ');

/**
 * What a row comes to. Its quantity is what stands on the seller's shelf, without what was sold here since the file was
 * written. A copy that a buyer has a claim on is neither changed nor taken away.
 */
export const planOf = (row: PreparedRow, now: readonly CopyNow[], defaults: CopyDefaults): Plan => {
  const soldHere = Math.min(row.quantity, now.filter((copy) => copy.isSoldSince).length);
  const target = row.quantity - soldHere;
  const there = now.filter(isThere);
  const free = there.filter(isFree).toSorted((a, b) => a.number - b.number);
  const surplus = Math.max(0, there.length - target);
  const gone = surplus === 0 ? [] : free.slice(-surplus);
  const staying = free.slice(0, free.length - gone.length);
  let add: Plan['add'];
  if (target > there.length) {
    const facts = newFacts(row, staying[0] === undefined ? defaults : { ...defaults, ...likeOf(staying[0]) });
    if ('problem' in facts) return refused(facts.problem);
    if ('lacks' in facts) return refused(LACKING[facts.lacks], facts.lacks);
    add = { count: target - there.length, from: Math.max(0, ...now.map(({ number }) => number)) + 1, facts };
  }
  const change = staying.flatMap(({ id, facts, isGraded }) => {
    const after = factsAfter(row, facts, isGraded);
    return isSame(after, facts) ? [] : [{ id, before: facts, after }];
  });
  const own = staying.flatMap(({ id, own: before, isGraded }) => {
    const after = ownAfter(isGraded ? { ...row.own, gradeText: undefined } : row.own, before);
    return isSame(after, before) ? [] : [{ id, after }];
  });
  const pause = row.isPaused === true ? staying.filter(({ isPausedAlone }) => !isPausedAlone) : [];
  const resume =
    row.isPaused === false ? staying.filter(({ isPausedAlone, waitsForLook }) => isPausedAlone && !waitsForLook) : [];
  const held = there.filter(({ state }) => state === 'held');
  const kept =
    surplus -
    gone.length +
    held.filter(({ facts, isGraded }) => target > 0 && !isSame(factsAfter(row, facts, isGraded), facts)).length;
  const touched = change.length + own.length + pause.length + resume.length;
  const isQuiet = add === undefined && gone.length === 0 && touched === 0;
  return {
    action: isQuiet ? 'unchanged' : there.length === 0 ? 'new' : target === 0 && touched === 0 ? 'gone' : 'changed',
    reason: reasonOf({ soldHere, kept }),
    lacks: undefined,
    add,
    change,
    own,
    withdraw: gone.map(({ id }) => id),
    pause: pause.map(({ id }) => id),
    resume: resume.map(({ id }) => id),
    stays: staying.map(({ id, facts }) => ({ id, isbn13: row.isbn13 ?? facts.isbn13 })),
    soldHere,
    kept,
  };
};

/** One more copy of a SKU is like those that are there, where its row does not say otherwise. */
const likeOf = ({ facts }: CopyNow): CopyDefaults => ({
  categoryId: facts.category_id,
  condition: facts.condition,
  resaleCents: facts.resale_cents,
  location: facts.location,
  phone: facts.phone,
  edition: { title: facts.title, authors: facts.authors },
});
