import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Summary } from '#contract/bookings/dashboard.ts';
import { ArrowIcon } from '#web/ui/arrow-icon.tsx';
import { CheckIcon } from '#web/ui/icons.tsx';
import { Time } from '#web/shell/data/time.tsx';

type Shop = NonNullable<Summary['admin']>;

interface Item {
  readonly to: string;
  readonly label: string;
  readonly note?: ReactNode;
}

const some = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

const itemsOf = ({
  openDisputes,
  disputeDueBy,
  refundsToDecide,
  differences,
  ordersToDecide,
  reviewsToDecide,
  reportsToDecide,
  reportedSince,
  toApprove,
  sellersToVerify,
}: Shop): Item[] => [
  ...(openDisputes === 0
    ? []
    : [
        {
          to: '/dashboard/money#disputes',
          label: some(openDisputes, 'open dispute', 'open disputes'),
          note:
            disputeDueBy === null ? (
              'Answer at Stripe'
            ) : (
              <>
                Answer at Stripe by <Time at={disputeDueBy} as="moment" />
              </>
            ),
        },
      ]),
  ...(ordersToDecide === 0
    ? []
    : [{ to: '/dashboard/money#orders', label: some(ordersToDecide, 'order to decide', 'orders to decide') }]),
  ...(reportsToDecide === 0
    ? []
    : [
        {
          to: '/dashboard/reported_items',
          label: some(reportsToDecide, 'report to decide', 'reports to decide'),
          ...(reportedSince !== null && {
            note: (
              <>
                The oldest since <Time at={reportedSince} as="moment" />
              </>
            ),
          }),
        },
      ]),
  ...(reviewsToDecide === 0
    ? []
    : [
        {
          to: '/dashboard/reported_items#held',
          label: some(reviewsToDecide, 'review to look at', 'reviews to look at'),
          note: 'It names a link or a contact',
        },
      ]),
  ...(differences === 0
    ? []
    : [{ to: '/dashboard/money#differences', label: some(differences, 'money difference', 'money differences') }]),
  ...(refundsToDecide === 0
    ? []
    : [{ to: '/dashboard/money#payments', label: some(refundsToDecide, 'refund to decide', 'refunds to decide') }]),
  ...(toApprove === 0
    ? []
    : [
        {
          to: '/dashboard/money/by-hand',
          label: some(toApprove, 'payout or correction to approve', 'payouts or corrections to approve'),
          note: 'Another admin made it and cannot approve it',
        },
      ]),
  ...(sellersToVerify === 0
    ? []
    : [{ to: '/dashboard/all_sellers', label: some(sellersToVerify, 'seller to verify', 'sellers to verify') }]),
];

/** What waits for an admin, the most urgent first, each leading to where it is done. */
export const NeedsAttention = ({ shop }: { shop: Shop }) => {
  const items = itemsOf(shop);
  return (
    <section className="mb-8" aria-labelledby="attention">
      <h2 id="attention" className="mb-3 font-serif text-xl font-semibold">
        Needs attention
      </h2>
      {items.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <CheckIcon className="size-5 text-success" />
          Nothing right now.
        </p>
      ) : (
        <ul className="overflow-hidden rounded-box border border-base-300 bg-base-100">
          {items.map(({ to, label, note }) => (
            <li key={to} className="border-b border-base-300 last:border-b-0">
              <Link to={to} className="flex min-h-11 items-center justify-between gap-4 px-4 py-2 hover:bg-base-200">
                <span>
                  <span className="font-semibold">{label}</span>
                  {note !== undefined && <span className="block text-sm text-muted">{note}</span>}
                </span>
                <ArrowIcon className="size-5 shrink-0 text-primary" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
