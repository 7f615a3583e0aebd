import { Link } from 'react-router';
import type { Batch } from '#contract/money/by-hand.ts';
import { formatDollars } from '#contract/money/money.ts';
import { Section } from '#web/admin/money-parts.tsx';
import { Time } from '#web/shell/data/time.tsx';
import { classes } from '#web/ui/classes.ts';
import { ArrowIcon } from '#web/ui/arrow-icon.tsx';

export const payoutsText = (count: number): string => (count === 1 ? '1 payout' : `${count} payouts`);

/** How far a batch is, in a word or two. */
export const standingOf = ({ needsApproval, open, count }: Batch): readonly [words: string, look: string] => {
  if (open === 0) return ['Done', 'border-base-300 text-muted'];
  if (needsApproval) return ['Needs a second admin', 'border-warning/50 text-warning'];
  return [open === count ? 'To be paid' : `${open} still open`, 'border-success/50 text-success'];
};

const Item = ({ batch }: { batch: Batch }) => {
  const [words, look] = standingOf(batch);
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0">
        <Link
          to={`/dashboard/money/by-hand/${batch.id}`}
          className="font-semibold after:absolute after:inset-0 hover:underline"
        >
          {payoutsText(batch.count)}, {formatDollars(batch.amount)}
        </Link>
        <p className="text-sm wrap-anywhere text-muted">
          Made by {batch.madeBy}, <Time at={batch.madeAt} as="moment" />
        </p>
      </div>
      <span className={classes('badge ms-auto bg-transparent whitespace-nowrap', look)}>{words}</span>
      <ArrowIcon className="size-4 shrink-0 text-muted" />
    </li>
  );
};

/** The newest batches, each leading to its payouts. */
export const Batches = ({ batches }: { batches: readonly Batch[] }) => (
  <Section id="batches" title="Batches">
    {batches.length === 0 ? (
      <p className="text-muted">None yet.</p>
    ) : (
      <ul className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
        {batches.map((batch) => (
          <Item key={batch.id} batch={batch} />
        ))}
      </ul>
    )}
  </Section>
);
