import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '#contract/count.ts';
import type { Summary } from '#contract/bookings/dashboard.ts';
import { formatDollars } from '#contract/money/money.ts';
import { Time } from '#web/shell/data/time.tsx';

interface Figure {
  readonly label: string;
  readonly value: string;
  /** A few words more, such as until when. */
  readonly note?: ReactNode;
}

interface Part {
  readonly title: string;
  readonly to: string;
  readonly figures: readonly Figure[];
}

/** The parts of `summary` in the order they are shown: what waits for the person first. */
export const partsOf = ({ buyer, seller, admin }: Summary): Part[] => [
  ...(buyer === undefined
    ? []
    : [
        {
          title: 'Your orders',
          to: '/dashboard/my_orders',
          figures: [
            {
              label: 'Held for you',
              value: formatCount(buyer.held),
              ...(buyer.heldUntil !== null && {
                note: (
                  <>
                    {buyer.held > 1 ? 'the first until' : 'until'} <Time at={buyer.heldUntil} as="time" />
                  </>
                ),
              }),
            },
            { label: 'To pay', value: formatCount(buyer.unpaid) },
            { label: 'Paid', value: formatCount(buyer.paid) },
          ],
        },
      ]),
  ...(seller === undefined
    ? []
    : [
        {
          title: 'Your shelf',
          to: '/dashboard/my_products',
          figures: [
            { label: 'Available', value: formatCount(seller.available) },
            { label: 'Reserved', value: formatCount(seller.reserved) },
            { label: 'Sold', value: formatCount(seller.sold) },
            { label: 'Earned', value: formatDollars(seller.earned), note: 'after fees' },
          ],
        },
      ]),
  ...(admin === undefined
    ? []
    : [
        {
          title: 'The shop',
          to: '/dashboard/all_sellers',
          figures: [
            { label: 'Users', value: formatCount(admin.users) },
            { label: 'Sellers to verify', value: formatCount(admin.sellersToVerify) },
            { label: 'Listings', value: formatCount(admin.listings) },
          ],
        },
      ]),
];

/** The few numbers that matter to each role, each part leading to the page behind it. */
export const DashboardNumbers = ({ summary }: { summary: Summary }) => (
  <>
    {partsOf(summary).map(({ title, to, figures }) => (
      <section key={title} className="mb-8" aria-label={title}>
        <h2 className="mb-3 font-serif text-xl font-semibold">
          <Link to={to} className="hover:underline">
            {title}
          </Link>
        </h2>
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-box border border-base-300 bg-base-300 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
          {figures.map(({ label, value, note }) => (
            <div key={label} className="flex flex-col bg-base-100 p-4 max-sm:odd:last:col-span-2">
              <dt className="text-sm text-muted">{label}</dt>
              <dd className="font-serif text-2xl font-semibold tabular-nums">{value}</dd>
              {note !== undefined && <dd className="text-sm text-muted">{note}</dd>}
            </div>
          ))}
        </dl>
      </section>
    ))}
  </>
);
