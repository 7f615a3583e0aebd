import type { ReactNode } from 'react';
import type { DifferenceShown, DisputeShown, MoneyState } from '#contract/money/money-admin.ts';
import { formatDollars } from '#contract/money/money.ts';
import { useChosenColumns } from '#web/shell/data/list-address.ts';
import { Time } from '#web/shell/data/time.tsx';
import { classes } from '#web/ui/classes.ts';
import { CheckIcon, WarningIcon } from '#web/ui/icons.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { ProviderLink, type ProviderPlace } from './provider-link.tsx';

export const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="mb-8">
    <h2 id={id} className="mb-3 font-serif text-xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

const problemsText = (count: number): string => (count === 1 ? '1 problem' : `${count} problems`);

const Figure = ({ label, value, note }: { label: string; value: ReactNode; note?: string | undefined }) => (
  <div className="flex flex-col bg-base-100 p-4">
    <dt className="text-sm text-muted">{label}</dt>
    <dd className="font-serif text-lg font-semibold tabular-nums">{value}</dd>
    {note !== undefined && <dd className="text-sm text-muted">{note}</dd>}
  </div>
);

const runFigure = (run: MoneyState['reconciled']['all']): { value: ReactNode; note?: string } =>
  run === null
    ? { value: 'Not yet' }
    : {
        value: <Time at={run.endedAt} as="moment" />,
        note:
          run.differences === 0
            ? 'No differences'
            : run.differences === 1
              ? '1 difference'
              : `${run.differences} differences`,
      };

/** The one line an admin comes for: whether anything is broken; and since when that is known. */
export const Health = ({ state }: { state: MoneyState }) => {
  const isSound = state.violations === 0;
  const { mail } = state;
  return (
    <section aria-label="Balances" className="mb-8">
      <div className="mb-4 flex items-center gap-3">
        {isSound ? (
          <CheckIcon className="size-8 shrink-0 text-success" />
        ) : (
          <WarningIcon className="size-8 shrink-0 text-error" />
        )}
        <p className="font-serif text-2xl font-semibold">
          {isSound ? 'All balances match' : `${problemsText(state.violations)} with the balances`}
        </p>
      </div>
      <dl className="grid gap-px overflow-hidden rounded-box border border-base-300 bg-base-300 sm:grid-cols-2 xl:grid-cols-4">
        <Figure label="Last check with Stripe" {...runFigure(state.reconciled.unpaid)} />
        <Figure label="Last full check with Stripe" {...runFigure(state.reconciled.all)} />
        <Figure
          label="Oldest unsent email"
          value={mail.oldestUnsentAt === null ? 'All sent' : <Time at={mail.oldestUnsentAt} as="moment" />}
          note={mail.unsent + mail.dead === 0 ? undefined : `${mail.unsent} waiting, ${mail.dead} could not be sent`}
        />
        <Figure label="Refunds in progress" value={String(state.openRefunds)} />
      </dl>
      <details className="mt-4 rounded-box border border-base-300 bg-base-100 p-4">
        <summary className="cursor-pointer font-semibold">What is checked</summary>
        <ul className="mt-3 flex flex-col gap-2">
          {state.invariants.map(({ id, says, violations }) => (
            <li key={id} className="flex items-baseline justify-between gap-4">
              <span>{says}</span>
              <span
                className={classes('shrink-0 tabular-nums', violations > 0 ? 'font-semibold text-error' : 'text-muted')}
              >
                {violations === 0 ? 'OK' : problemsText(violations)}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
};

const DIFFERENCE_COLUMNS: readonly Column<DifferenceShown>[] = [
  {
    header: 'Found',
    under: true,
    cell: ({ foundAt, times }) => (
      <span className="whitespace-nowrap">
        <Time at={foundAt} as="moment" />
        {times > 1 && <span className="text-muted sm:block"> {times} times</span>}
      </span>
    ),
  },
  {
    header: 'Difference',
    lead: true,
    cell: ({ says, subject }) => (
      <div className="min-w-0">
        <p className="row-words wrap-anywhere">{says}</p>
        <code className="when-open text-xs break-all text-muted">{subject}</code>
      </div>
    ),
  },
  {
    header: 'State',
    end: true,
    brief: true,
    cell: ({ mendedAt }) =>
      mendedAt === null ? (
        <span className="badge border-error/50 bg-transparent text-error">Needs attention</span>
      ) : (
        <span className="badge border-success/50 bg-transparent text-success">Fixed</span>
      ),
  },
];

/** What did not add up between the shop's books and the provider's. */
export const Differences = ({ differences }: { differences: readonly DifferenceShown[] }) => (
  <Section id="differences" title="Differences found">
    {differences.length === 0 ? (
      <p className="text-muted">None. Our records match Stripe’s.</p>
    ) : (
      <Table
        caption="Differences between our books and the provider’s, those that stand first"
        columns={DIFFERENCE_COLUMNS}
        rows={differences}
        rowKey={({ _id }) => _id}
        nameOf={({ says }) => says}
      />
    )}
  </Section>
);

const DISPUTE_LOOKS: Record<DisputeShown['state'], readonly [string, string]> = {
  open: ['Open', 'border-warning/50 text-warning'],
  won: ['Won', 'border-success/50 text-success'],
  lost: ['Lost', 'border-error/50 text-error'],
};

/** What the provider's words for a dispute's reason mean, for those that are not plain. */
const REASONS: Record<string, string> = {
  fraudulent: 'The cardholder says they did not pay for this',
  product_not_received: 'The book did not arrive',
  product_unacceptable: 'The book is not as described',
  credit_not_processed: 'A refund is missing',
  general: 'No reason given',
};

const reasonText = (reason: string): string => REASONS[reason] ?? reason.replaceAll('_', ' ');

const Due = ({ dispute: { state, dueBy, openedAt, closedAt } }: { dispute: DisputeShown }) => (
  <span>
    {state === 'open' && dueBy !== null && (
      <strong>
        <Time at={dueBy} as="moment" />{' '}
      </strong>
    )}
    <span className="text-muted sm:block">
      {closedAt === null ? 'Opened' : 'Decided'} <Time at={closedAt ?? openedAt} as="date" />
    </span>
  </span>
);

const disputeColumns = (at: ProviderPlace): readonly Column<DisputeShown>[] => [
  {
    header: 'Book',
    lead: true,
    cell: ({ title, transactionId }) => (
      <div className="min-w-0">
        <p className="row-title">{title}</p>
        <span className="when-open">
          <ProviderLink at={at} id={transactionId} />
        </span>
      </div>
    ),
  },
  { header: 'Buyer', cell: ({ buyer }) => <span className="wrap-anywhere">{buyer}</span> },
  { header: 'Answer by', under: true, cell: (dispute) => <Due dispute={dispute} /> },
  {
    header: 'Reason',
    cell: ({ reason, inquiry }) => (
      <span className="wrap-anywhere">
        {inquiry && 'Inquiry, no money taken: '}
        {reasonText(reason)}
      </span>
    ),
  },
  {
    header: 'Amount',
    end: true,
    brief: true,
    cell: ({ amount }) => <span className="tabular-nums">{formatDollars(amount)}</span>,
  },
  {
    header: 'State',
    end: true,
    brief: true,
    cell: ({ state }) => (
      <span className={classes('badge bg-transparent', DISPUTE_LOOKS[state][1])}>{DISPUTE_LOOKS[state][0]}</span>
    ),
  },
];

/** Payments that buyers' banks dispute; answered at the provider, shown here. */
export const Disputes = ({ disputes, at }: { disputes: readonly DisputeShown[]; at: ProviderPlace }) => {
  const choosing = useChosenColumns('hide-disputes');
  return (
    <Section id="disputes" title="Disputes">
      {disputes.length === 0 ? (
        <p className="text-muted">None. When a buyer’s bank disputes a payment, it appears here.</p>
      ) : (
        <>
          {disputes.some(({ state }) => state === 'open') && (
            <p className="mb-3 max-w-prose text-muted">
              Answer each open dispute in the Stripe dashboard before its date: accept it, or send evidence such as the
              listing and proof that the book was handed over. Without an answer the buyer gets the money back. Until it
              is decided the seller is not paid for it, and it cannot be refunded here.
            </p>
          )}
          <Table
            caption="Disputed payments, the open ones first"
            columns={disputeColumns(at)}
            rows={disputes}
            rowKey={({ _id }) => _id}
            nameOf={({ title }) => title}
            choosing={choosing}
          />
        </>
      )}
    </Section>
  );
};

/** The accounts of the ledger, which are zero together. */
export const Balances = ({ balances }: { balances: MoneyState['balances'] }) => (
  <Section id="ledger" title="Ledger">
    <p className="mb-3 max-w-prose text-muted">
      Assets are positive, liabilities negative. Together they are always zero.
    </p>
    <dl className="overflow-hidden rounded-box border border-base-300 bg-base-100">
      {balances.map(({ account, says, amount }) => (
        <div key={account} className="flex justify-between gap-4 border-b border-base-300 px-4 py-3">
          <dt>{says}</dt>
          <dd className="whitespace-nowrap tabular-nums">{formatDollars(amount)}</dd>
        </div>
      ))}
      <div className="flex justify-between gap-4 px-4 py-3 font-semibold">
        <dt>Total</dt>
        <dd className="tabular-nums">
          {formatDollars(Math.round(balances.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100)}
        </dd>
      </div>
    </dl>
  </Section>
);
