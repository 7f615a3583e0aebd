import { Link } from 'react-router';
import type { Summary } from '#contract/dashboard.ts';
import { formatDollars } from '#contract/money.ts';

interface Figure {
  readonly label: string;
  readonly value: string;
  /** A few words more, such as until when. */
  readonly note?: string;
}

interface Part {
  readonly title: string;
  readonly to: string;
  readonly figures: readonly Figure[];
}

const count = (value: number): string => value.toLocaleString('en-US');

const clock = (iso: string): string =>
  new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

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
              value: count(buyer.held),
              ...(buyer.heldUntil !== null && {
                note: `${buyer.held > 1 ? 'the first until' : 'until'} ${clock(buyer.heldUntil)}`,
              }),
            },
            { label: 'To pay', value: count(buyer.unpaid) },
            { label: 'Paid', value: count(buyer.paid) },
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
            { label: 'Available', value: count(seller.available) },
            { label: 'Reserved', value: count(seller.reserved) },
            { label: 'Sold', value: count(seller.sold) },
            { label: 'Earned', value: formatDollars(seller.earned) },
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
            { label: 'Users', value: count(admin.users) },
            { label: 'Sellers to verify', value: count(admin.sellersToVerify) },
            { label: 'Listings', value: count(admin.listings) },
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
