import { Link } from 'react-router';
import type { OrderToDecide } from '#contract/money/money-admin.ts';
import { useChosenColumns } from '#web/shell/data/list-address.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
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
      <Link to={`/dashboard/orders/${_id}`} className="text-link row-title">
        {title}
      </Link>
    ),
  },
  { header: 'Buyer', cell: ({ buyer }) => <span className="wrap-anywhere">{buyer}</span> },
  { header: 'Seller', cell: ({ seller }) => <span className="wrap-anywhere">{seller}</span> },
  {
    header: 'Waits',
    under: true,
    cell: ({ why, since }) => (
      <span>
        {WHY[why]}
        <span className="when-open block text-[0.8125rem] text-muted">
          Since <Time at={since} as="date" />
        </span>
      </span>
    ),
  },
  {
    header: 'Ends by itself',
    end: true,
    brief: true,
    cell: ({ due }) => (due === null ? 'When the bank has decided' : <Time at={due} as="moment" />),
  },
];

/** What does not go on without an admin, or a bank. */
export const OrdersToDecide = ({ orders }: { orders: readonly OrderToDecide[] }) => {
  const choosing = useChosenColumns('hide-orders');
  return (
    <Section id="orders" title="Orders to decide">
      {orders.length === 0 ? (
        <p className="text-muted">
          None. Problems that are passed on to you and books that nobody picks up appear here.
        </p>
      ) : (
        <Table
          caption="Orders that wait for an admin or a bank, the first to end by itself first"
          columns={COLUMNS}
          rows={orders}
          rowKey={({ _id }) => _id}
          nameOf={({ title }) => title}
          choosing={choosing}
        />
      )}
    </Section>
  );
};
