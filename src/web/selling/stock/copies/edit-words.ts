import { formatCount } from '#contract/count.ts';
import type { LeftBecause, StockChange } from '#contract/stock/stock-edits.ts';

const REASONS: Record<LeftBecause, string> = {
  unchanged: 'are so already',
  held: 'are on hold for a buyer',
  sold: 'are sold',
  look: 'wait for our look at them',
  graded: 'have a condition that follows from their defects: edit these one by one',
  price: 'would cost less than $0.50 or more than $99,999.99',
};

/** Why some copies are left, in a line. */
export const leftWords = ({ because, copies }: { because: LeftBecause; copies: number }): string =>
  `${formatCount(copies)} ${REASONS[because]}`;

/** What the form of an edit holds, as it is typed. */
export interface EditForm {
  readonly by: '' | 'percent-up' | 'percent-down' | 'amount-up' | 'amount-down' | 'to';
  readonly value: string;
  readonly round: 'cent' | 'half' | 'dollar' | '99';
  readonly condition: string;
  readonly category: string;
  readonly delivery: string;
  readonly sale: '' | 'pause' | 'resume';
}

export const EMPTY_FORM: EditForm = {
  by: '',
  value: '',
  round: 'cent',
  condition: '',
  category: '',
  delivery: '',
  sale: '',
};

/** The change that is asked for; what is typed as a price and is none becomes 0, which the shop refuses. */
export const changeOf = ({ by, value, round, condition, category, delivery, sale }: EditForm): StockChange => {
  const [kind, way] = by.split('-');
  const size = Number(value.replace(',', '.').replace(/[$%\s]/g, ''));
  const price = { by: kind, value: Number.isNaN(size) ? 0 : way === 'down' ? -size : size, round };
  return {
    ...(by !== '' && { price }),
    ...(condition !== '' && { condition }),
    ...(category !== '' && { category }),
    ...(delivery !== '' && { delivery }),
    ...(sale !== '' && { paused: sale === 'pause' }),
  } as StockChange;
};
