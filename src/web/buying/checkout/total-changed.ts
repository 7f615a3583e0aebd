import { formatDollars } from '#contract/money/money.ts';

/** What the shop would charge is not what was on show: nobody pays it unasked. Amounts in dollars. */
export class TotalChanged extends Error {
  constructor({ shown, postage, total }: { shown: number; postage: number; total: number }) {
    const parts = postage === 0 ? '' : `, ${formatDollars(postage)} of it postage`;
    super(
      `The total is ${formatDollars(total)} now${parts}, not ${formatDollars(shown)}. Nothing was charged. Press Pay again if that is fine.`,
    );
    this.name = 'TotalChanged';
  }
}
