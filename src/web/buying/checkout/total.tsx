import { formatDollars } from '#contract/money/money.ts';

const Line = ({ name, amount }: { name: string; amount: string }) => (
  <div className="flex justify-between gap-4">
    <dt dir="auto" className="min-w-0 break-words text-muted">
      {name}
    </dt>
    <dd className="tabular-nums">{amount}</dd>
  </div>
);

interface Props {
  lines: readonly { readonly name: string; readonly price: number }[];
  /** Undefined where nothing is posted. */
  postage: number | undefined;
  total: number;
}

/** What is going to be charged, line by line. All amounts in dollars. */
export const Total = ({ lines, postage, total }: Props) => (
  <dl aria-label="What you pay" className="flex flex-col gap-1.5 border-t border-base-300 pt-4">
    {(lines.length > 1 || postage !== undefined) &&
      lines.map(({ name, price }, at) => <Line key={`${at} ${name}`} name={name} amount={formatDollars(price)} />)}
    {postage !== undefined && <Line name="Postage" amount={postage === 0 ? 'free' : formatDollars(postage)} />}
    <div className="flex justify-between gap-4 text-lg font-semibold">
      <dt>Total</dt>
      <dd className="tabular-nums">{formatDollars(total)}</dd>
    </div>
  </dl>
);
