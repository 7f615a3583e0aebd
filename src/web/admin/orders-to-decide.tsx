import { Link } from 'react-router';
import type { OrderToDecide } from '#contract/money/money-admin.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Section } from './money-parts.tsx';

const WHY: Record<OrderToDecide['why'], string> = {
  asked: 'Buyer and seller do not agree: decide',
  uncollected: 'Nobody has picked it up: ask both',
  frozen: 'The buyer’s bank decides',
};

const COLUMNS: readonly Column<OrderToDecide>[] = [
  {
    header: 'Order',
    lead: true,
    cell: ({ _id, title }) => (
      <Link to={`/dashboard/orders/${_id}`} className="link font-serif font-semibold wrap-anywhere">
        {title}
      </Link>
    ),
  },
  { header: 'Buyer', cell: ({ buyer }) => <span className="wrap-anywhere">{buyer}</span> },
  { header: 'Seller', cell: ({ seller }) => <span className="wrap-anywhere">{seller}</span> },
  {
    header: 'Waits',
    cell: ({ why, since }) => (
      <span className="flex flex-col max-sm:items-end">
        {WHY[why]}
        <span className="text-sm text-muted">
          Since <Time at={since} as="date" />
        </span>
      </span>
    ),
  },
  {
    header: 'Ends by itself',
    end: true,
    cell: ({ due }) => (due === null ? 'When the bank has decided' : <Time at={due} as="moment" />),
  },
];

/** What does not go on without an admin, or a bank. */
export const OrdersToDecide = ({ orders }: { orders: readonly OrderToDecide[] }) => (
  <Section id="orders" title="Orders to decide">
    {orders.length === 0 ? (
      <p className="text-muted">None. Problems that are passed on to you and books that nobody picks up appear here.</p>
    ) : (
      <Table
        caption="Orders that wait for an admin or a bank, the first to end by itself first"
        columns={COLUMNS}
        rows={orders}
        rowKey={({ _id }) => _id}
      />
    )}
  </Section>
);
