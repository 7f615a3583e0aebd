import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { relistCopy, withdrawCopy } from '#contract/bookings/bookings.ts';
import { refundBooking, retryRefund, type PaymentShown } from '#contract/money/money-admin.ts';
import { formatDollars } from '#contract/money/money.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { useChosenColumns } from '#web/shell/data/list-address.ts';
import { Time } from '#web/shell/data/time.tsx';
import type { More } from '#web/shell/data/use-more.ts';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { ListEnd } from '#web/ui/list-end.tsx';
import type { Sorting } from '#web/ui/table/sorting.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { Section } from './money-parts.tsx';
import { PaidOtherwiseDialog } from './paid-otherwise.tsx';
import { ProviderLink, type ProviderPlace } from './provider-link.tsx';
import { RowAction } from './row-action.tsx';

const LOOKS: Record<PaymentShown['state'], readonly [string, string]> = {
  paid: ['Paid', 'border-success/50 text-success'],
  refunding: ['Refund in progress', 'border-warning/50 text-warning'],
  refunded: ['Refunded', 'border-base-300 text-muted'],
  refused: ['Refund refused', 'border-error/50 text-error'],
  disputed: ['Disputed', 'border-warning/50 text-warning'],
  returned: ['Too late, refunded', 'border-base-300 text-muted'],
  'return-refused': ['Too late, refund refused', 'border-error/50 text-error'],
};

interface Acts {
  readonly onPaid: (payment: PaymentShown) => void;
  readonly onRefund: (payment: PaymentShown) => void;
  readonly onRetry: (payment: PaymentShown) => Promise<void>;
  readonly onDecide: (payment: PaymentShown, what: 'relist' | 'withdraw') => Promise<void>;
}

const PaidOtherwise = ({ payment, onPaid }: Pick<Acts, 'onPaid'> & { payment: PaymentShown }) => (
  <Button look="secondary" size="sm" onClick={() => onPaid(payment)}>
    Paid another way<span className="sr-only">: {payment.title}</span>
  </Button>
);

const Actions = ({ payment, onPaid, onRefund, onRetry, onDecide }: Acts & { payment: PaymentShown }) => {
  if (payment.state === 'paid' || payment.state === 'refused') {
    return (
      <div className="flex flex-wrap gap-2 sm:justify-end">
        <Button look="quiet-danger" size="sm" onClick={() => onRefund(payment)}>
          Refund<span className="sr-only">: {payment.title}</span>
        </Button>
        {payment.state === 'refused' && <PaidOtherwise payment={payment} onPaid={onPaid} />}
      </div>
    );
  }
  if (payment.state === 'return-refused') {
    return (
      <div className="flex flex-wrap gap-2 sm:justify-end">
        <RowAction label="Try refund again" name={payment.title} act={() => onRetry(payment)} />
        <PaidOtherwise payment={payment} onPaid={onPaid} />
      </div>
    );
  }
  if (!payment.undecided) return null;
  return (
    <div className="flex flex-wrap gap-2 sm:justify-end">
      <RowAction label="Put back on sale" name={payment.title} act={() => onDecide(payment, 'relist')} />
      <RowAction look="quiet-danger" label="Remove" name={payment.title} act={() => onDecide(payment, 'withdraw')} />
    </div>
  );
};

const columnsOf = (acts: Acts, at: ProviderPlace): readonly Column<PaymentShown>[] => [
  {
    header: 'Book',
    lead: true,
    cell: ({ title, transactionId }) => (
      <div className="min-w-0">
        <p dir="auto" className="row-title">
          {title}
        </p>
        <span className="when-open">
          <ProviderLink at={at} id={transactionId} />
        </span>
      </div>
    ),
  },
  {
    header: 'From and to',
    cell: ({ buyer, seller }) => (
      <span className="wrap-anywhere max-sm:text-end">
        {buyer} <span className="text-muted">to</span> {seller}
      </span>
    ),
  },
  {
    header: 'Paid',
    under: true,
    sort: { up: 'oldest', down: 'newest', first: 'down' },
    cell: ({ at }) => <Time at={at} as="moment" />,
  },
  {
    header: 'Amount',
    end: true,
    brief: true,
    sort: { up: 'amount-up', down: 'amount-down', first: 'down' },
    cell: ({ amount }) => <span className="font-semibold tabular-nums">{formatDollars(amount)}</span>,
  },
  {
    header: 'State',
    end: true,
    brief: true,
    cell: ({ state, undecided }) => (
      <span className="flex flex-col items-end gap-1">
        <span className={classes('badge bg-transparent whitespace-nowrap', LOOKS[state][1])}>{LOOKS[state][0]}</span>
        {undecided && <span className="text-sm text-muted">Decide what happens to the copy</span>}
      </span>
    ),
  },
  {
    header: 'Actions',
    end: true,
    quiet: true,
    cell: (payment) => <Actions payment={payment} {...acts} />,
  },
];

const refusalWords = (error: unknown): string =>
  error instanceof ApiError && error.code === 'provider_unavailable'
    ? 'Stripe does not answer right now. The refund is noted and will be finished automatically.'
    : messageOf(error);

/** Says what a refund does, asks, and gives the money back. */
const RefundDialog = ({ payment, onClose }: { payment: PaymentShown | undefined; onClose: () => void }) => {
  const { revalidate } = useRevalidator();
  const refund = async ({ bookingId, amount, title, buyer }: PaymentShown): Promise<void> => {
    await call(refundBooking, { params: { id: bookingId } }).finally(() => void revalidate());
    toast('Refunded', { text: `${formatDollars(amount)} for ${title} goes back to ${buyer}.` });
  };
  return (
    <Confirmed
      of={payment}
      title={`Refund ${formatDollars(payment?.amount ?? 0)}?`}
      confirmLabel="Refund in full"
      act={refund}
      wordsOf={refusalWords}
      onClose={onClose}
    >
      {payment !== undefined && (
        <p>
          <strong className="text-base-content">{formatDollars(payment.amount)}</strong> for <em>{payment.title}</em>{' '}
          goes back to {payment.buyer}. {payment.seller} will no longer be paid for it. The copy stays sold until you
          put it back on sale or remove it. This cannot be undone.
        </p>
      )}
    </Confirmed>
  );
};

interface PaymentsProps {
  list: More<PaymentShown>;
  at: ProviderPlace;
  sorting: Sorting;
}

/** Payments, with what an admin can do about each. */
export const Payments = ({ list, at, sorting }: PaymentsProps) => {
  const choosing = useChosenColumns();
  const { revalidate } = useRevalidator();
  const [toRefund, setToRefund] = useState<PaymentShown>();
  const [toNote, setToNote] = useState<PaymentShown>();
  const decide: Acts['onDecide'] = async ({ listingId, title }, what) => {
    await call(what === 'relist' ? relistCopy : withdrawCopy, { params: { id: listingId } });
    toast(what === 'relist' ? 'Back on sale' : 'Removed from the shop', { text: title });
    await revalidate();
  };
  const retry: Acts['onRetry'] = async ({ _id, amount, title, buyer }) => {
    try {
      await call(retryRefund, { params: { id: _id } });
      toast('Refunded', { text: `${formatDollars(amount)} for ${title} goes back to ${buyer}.` });
    } finally {
      await revalidate();
    }
  };
  return (
    <Section id="payments" title="Payments">
      {list.rows.length === 0 ? (
        <p className="text-muted">None yet. They appear here as soon as a book is paid for.</p>
      ) : (
        <>
          <Table
            caption={sorting.by === 'newest' ? 'Payments, newest first' : 'Payments'}
            columns={columnsOf({ onPaid: setToNote, onRefund: setToRefund, onRetry: retry, onDecide: decide }, at)}
            rows={list.rows}
            rowKey={({ _id }) => _id}
            nameOf={({ title }) => title}
            sorting={sorting}
            choosing={choosing}
          />
          <ListEnd list={list} />
        </>
      )}
      <RefundDialog payment={toRefund} onClose={() => setToRefund(undefined)} />
      <PaidOtherwiseDialog of={toNote} onClose={() => setToNote(undefined)} />
    </Section>
  );
};
