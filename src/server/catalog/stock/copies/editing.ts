// What an edit makes of a copy: pure, so that the preview and the writing decide alike.
import type { Condition } from '#contract/catalog/catalog.ts';
import { formatDollars, MAX_PRICE_CENTS, MIN_PRICE_CENTS } from '#contract/money/money.ts';
import type { FieldErrors } from '#contract/errors.ts';
import type { LeftBecause, Rounding, StockChange } from '#contract/stock/stock-edits.ts';
import type { ListingState } from '#server/catalog/catalog.table.ts';

/** What of a copy an edit goes by. Prices in cents. */
export interface EditableCopy {
  readonly id: string;
  readonly state: ListingState;
  readonly isPausedAlone: boolean;
  readonly waitsForLook: boolean;
  /** Its condition follows from what is said of its defects. */
  readonly isGraded: boolean;
  readonly category_id: string;
  readonly condition: Condition;
  readonly resale_cents: number;
  readonly original_known: boolean;
  readonly original_cents: number;
  /** How it comes to its buyer, where that is its own. */
  readonly pickup: boolean | null;
  readonly post: boolean | null;
}

/** What is to be done to a copy. */
export interface CopyEdit {
  readonly facts: Pick<EditableCopy, 'category_id' | 'condition' | 'resale_cents' | 'original_cents'>;
  readonly isChanged: boolean;
  /** Undefined where it stays. */
  readonly ways: Pick<EditableCopy, 'pickup' | 'post'> | undefined;
  readonly move: 'withdraw' | 'pause' | 'resume' | undefined;
}

const WAYS: Readonly<Record<NonNullable<StockChange['delivery']>, Pick<EditableCopy, 'pickup' | 'post'>>> = {
  settings: { pickup: null, post: null },
  pickup: { pickup: true, post: false },
  post: { pickup: false, post: true },
  both: { pickup: true, post: true },
};

/** Cents of a price, rounded to the nearest of its kind; upwards where two are as near. */
export const roundCents = (cents: number, round: Rounding): number => {
  if (round === 'cent') return Math.round(cents);
  if (round === 'half') return Math.round(cents / 50) * 50;
  if (round === 'dollar') return Math.round(cents / 100) * 100;
  return Math.max(99, Math.round((cents + 1) / 100) * 100 - 1);
};

/** What a copy costs after an edit, in cents; it may be more or less than a copy may cost. */
export const priceAfter = (cents: number, price: NonNullable<StockChange['price']>): number => {
  const { by, value, round } = price;
  // Of what JavaScript makes of a tenth: to a thousandth of a cent.
  const exact = by === 'percent' ? cents + (cents * value) / 100 : (by === 'to' ? 0 : cents) + value * 100;
  return roundCents(Number(exact.toFixed(3)), round);
};

/** What an edit makes of a copy, or why it is left as it is. */
export const editOf = (copy: EditableCopy, change: StockChange): CopyEdit | { readonly because: LeftBecause } => {
  if (copy.state === 'held') return { because: 'held' };
  if (copy.state === 'sold' || copy.state === 'withdrawn') return { because: 'sold' };
  const { category_id, condition, resale_cents, original_cents, isPausedAlone, waitsForLook } = copy;
  const same = { category_id, condition, resale_cents, original_cents };
  if (change.remove === true) return { facts: same, isChanged: false, ways: undefined, move: 'withdraw' };
  const resale = change.price === undefined ? resale_cents : priceAfter(resale_cents, change.price);
  if (resale < MIN_PRICE_CENTS || resale > MAX_PRICE_CENTS) return { because: 'price' };
  if (change.condition !== undefined && change.condition !== condition && copy.isGraded) return { because: 'graded' };
  if (change.paused === false && waitsForLook) return { because: 'look' };
  const facts = {
    category_id: change.category ?? category_id,
    condition: change.condition ?? condition,
    resale_cents: resale,
    // A price that is not known saves nothing on the price that is asked, and follows it.
    original_cents: copy.original_known ? original_cents : resale,
  };
  const isChanged = Object.entries(facts).some(([name, value]) => value !== same[name as keyof typeof same]);
  const wanted = change.delivery === undefined ? undefined : WAYS[change.delivery];
  const ways = wanted?.pickup === copy.pickup && wanted.post === copy.post ? undefined : wanted;
  const isMoved = change.paused !== undefined && change.paused !== isPausedAlone;
  const move = isMoved ? (change.paused ? 'pause' : 'resume') : undefined;
  return isChanged || ways !== undefined || move !== undefined
    ? { facts, isChanged, ways, move }
    : { because: 'unchanged' };
};

/** What is wrong with a change, by field. */
export const changeProblems = ({ remove, ...change }: StockChange): FieldErrors => {
  const { price, paused, condition, category, delivery } = change;
  if (remove === true && Object.values(change).some((value) => value !== undefined))
    return { remove: 'What is removed is not changed besides' };
  if (remove === undefined && [price, paused, condition, category, delivery].every((value) => value === undefined))
    return { change: 'Choose what is to change' };
  if (price === undefined) return {};
  if (price.by === 'to' && (price.value < MIN_PRICE_CENTS / 100 || price.value > MAX_PRICE_CENTS / 100))
    return { price: 'Give a price from $0.50 to $99,999.99' };
  if (price.by === 'percent' && price.value <= -100) return { price: 'So much off would leave nothing' };
  return price.by !== 'to' && price.value === 0 ? { price: 'Say how much up or down' } : {};
};

const PAUSES = ['puts them back', 'pauses them'] as const;
const DELIVERIES: Readonly<Record<NonNullable<StockChange['delivery']>, string>> = {
  settings: 'delivery as in the settings',
  pickup: 'pickup only',
  post: 'by post only',
  both: 'pickup and post',
};

/** What a change does, in words, such as "price +5 %, condition Good". */
export const changeWords = ({ price, condition, category, delivery, paused, remove }: StockChange): string => {
  const sign = price !== undefined && price.value > 0 ? '+' : '−';
  const size = Math.abs(price?.value ?? 0);
  const amount =
    price?.by === 'percent' ? `${sign}${size} %` : `${price?.by === 'to' ? '' : sign}${formatDollars(size)}`;
  return [
    ...(remove === true ? ['removed'] : []),
    ...(price === undefined ? [] : [`price ${amount}`]),
    ...(condition === undefined ? [] : [`condition ${condition}`]),
    ...(category === undefined ? [] : [`category ${category}`]),
    ...(delivery === undefined ? [] : [DELIVERIES[delivery]]),
    ...(paused === undefined ? [] : [PAUSES[paused ? 1 : 0]]),
  ].join(', ');
};
