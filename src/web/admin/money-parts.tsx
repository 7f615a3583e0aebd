import type { ReactNode } from 'react';
import type { DifferenceShown, DisputeShown, MoneyState } from '#contract/money-admin.ts';
import { formatDollars } from '#contract/money.ts';
import { classes } from '#web/ui/classes.ts';
import { CheckIcon, WarningIcon } from '#web/ui/icons.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

/** When something was, by the clock of whoever reads it. */
export const momentText = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="mb-8">
    <h2 id={id} className="mb-3 font-serif text-xl font-semibold">
      {title}
    </h2>
    {children}
  </section>
);

const violationsText = (count: number): string => (count === 1 ? '1 violation' : `${count} violations`);

const Figure = ({ label, value, note }: { label: string; value: string; note?: string | undefined }) => (
  <div className="flex flex-col bg-base-100 p-4">
    <dt className="text-sm text-muted">{label}</dt>
    <dd className="font-serif text-xl font-semibold tabular-nums">{value}</dd>
    {note !== undefined && <dd className="text-sm text-muted">{note}</dd>}
  </div>
);

const runFigure = (run: MoneyState['reconciled']['all']): { value: string; note?: string } =>
  run === null
    ? { value: 'Not yet' }
    : {
        value: momentText(run.endedAt),
        note: `${run.lookedAt} looked at, ${run.settled} settled, ${run.differences} different`,
      };

/** The one line an admin comes for: whether anything is broken; and since when that is known. */
export const Health = ({ state }: { state: MoneyState }) => {
  const isSound = state.violations === 0;
  const { mail } = state;
  return (
    <section aria-label="State of the invariants" className="mb-8">
      <div className="mb-4 flex items-center gap-3">
        {isSound ? (
          <CheckIcon className="size-8 shrink-0 text-success" />
        ) : (
          <WarningIcon className="size-8 shrink-0 text-error" />
        )}
        <p className="font-serif text-2xl font-semibold">{violationsText(state.violations)}</p>
      </div>
      <dl className="grid gap-px overflow-hidden rounded-box border border-base-300 bg-base-300 sm:grid-cols-2 xl:grid-cols-4">
        <Figure label="Unpaid bookings compared" {...runFigure(state.reconciled.unpaid)} />
        <Figure label="Everything compared" {...runFigure(state.reconciled.all)} />
        <Figure
          label="Oldest unsent mail"
          value={mail.oldestUnsentAt === null ? 'None waits' : momentText(mail.oldestUnsentAt)}
          note={mail.unsent + mail.dead === 0 ? undefined : `${mail.unsent} waiting, ${mail.dead} given up`}
        />
        <Figure label="Refunds under way" value={String(state.openRefunds)} />
      </dl>
      <details className="mt-4 rounded-box border border-base-300 bg-base-100 p-4">
        <summary className="cursor-pointer font-semibold">What is looked at</summary>
        <ul className="mt-3 flex flex-col gap-2">
          {state.invariants.map(({ id, says, violations }) => (
            <li key={id} className="flex items-baseline justify-between gap-4">
              <span>{says}</span>
              <span
                className={classes('shrink-0 tabular-nums', violations > 0 ? 'font-semibold text-error' : 'text-muted')}
              >
                {violationsText(violations)}
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
    cell: ({ foundAt, times }) => (
      <span className="whitespace-nowrap">
        <time dateTime={foundAt}>{momentText(foundAt)}</time>
        {times > 1 && <span className="block text-sm text-muted">{times} times</span>}
      </span>
    ),
  },
  {
    header: 'Difference',
    lead: true,
    cell: ({ says, subject }) => (
      <div className="min-w-0">
        <p className="wrap-anywhere">{says}</p>
        <code className="text-sm break-all text-muted">{subject}</code>
      </div>
    ),
  },
  {
    header: 'State',
    end: true,
    cell: ({ mendedAt }) =>
      mendedAt === null ? (
        <span className="badge border-error/50 bg-transparent text-error">Needs you</span>
      ) : (
        <span className="badge border-success/50 bg-transparent text-success">Mended</span>
      ),
  },
];

/** What did not add up between the shop's books and the provider's. */
export const Differences = ({ differences }: { differences: readonly DifferenceShown[] }) => (
  <Section id="differences" title="Differences found">
    {differences.length === 0 ? (
      <p className="text-muted">None. What the payment provider says and what our books say is the same.</p>
    ) : (
      <Table
        caption="Differences between our books and the provider’s, those that stand first"
        columns={DIFFERENCE_COLUMNS}
        rows={differences}
        rowKey={({ _id }) => _id}
      />
    )}
  </Section>
);

const DISPUTE_LOOKS: Record<DisputeShown['state'], readonly [string, string]> = {
  open: ['Open', 'border-warning/50 text-warning'],
  won: ['Won', 'border-success/50 text-success'],
  lost: ['Lost', 'border-error/50 text-error'],
};

const DISPUTE_COLUMNS: readonly Column<DisputeShown>[] = [
  {
    header: 'Book',
    lead: true,
    cell: ({ title }) => <span className="font-serif font-semibold wrap-anywhere">{title}</span>,
  },
  { header: 'Buyer', cell: ({ buyer }) => <span className="wrap-anywhere">{buyer}</span> },
  { header: 'Opened', cell: ({ openedAt }) => <time dateTime={openedAt}>{momentText(openedAt)}</time> },
  { header: 'Reason', cell: ({ reason }) => <span className="wrap-anywhere">{reason.replaceAll('_', ' ')}</span> },
  { header: 'Amount', end: true, cell: ({ amount }) => <span className="tabular-nums">{formatDollars(amount)}</span> },
  {
    header: 'State',
    end: true,
    cell: ({ state }) => (
      <span className={classes('badge bg-transparent', DISPUTE_LOOKS[state][1])}>{DISPUTE_LOOKS[state][0]}</span>
    ),
  },
];

/** Payments that buyers' banks dispute; answered at the provider, shown here. */
export const Disputes = ({ disputes }: { disputes: readonly DisputeShown[] }) => (
  <Section id="disputes" title="Disputes">
    {disputes.length === 0 ? (
      <p className="text-muted">None. Disputes are answered at the payment provider; their money is set aside here.</p>
    ) : (
      <Table
        caption="Disputed payments, the open ones first"
        columns={DISPUTE_COLUMNS}
        rows={disputes}
        rowKey={({ _id }) => _id}
      />
    )}
  </Section>
);

/** An amount of the ledger: below zero is owed or earned. */
const ledgerText = (dollars: number): string => `${dollars < 0 ? '−' : ''}${formatDollars(Math.abs(dollars))}`;

/** The accounts of the ledger, which are zero together. */
export const Balances = ({ balances }: { balances: MoneyState['balances'] }) => (
  <Section id="ledger" title="Ledger">
    <p className="mb-3 max-w-prose text-muted">
      What the shop holds or has lost is above zero, what it owes or has earned below. Together it is always zero.
    </p>
    <dl className="overflow-hidden rounded-box border border-base-300 bg-base-100">
      {balances.map(({ account, says, amount }) => (
        <div key={account} className="flex justify-between gap-4 border-b border-base-300 px-4 py-3">
          <dt>{says}</dt>
          <dd className="whitespace-nowrap tabular-nums">{ledgerText(amount)}</dd>
        </div>
      ))}
      <div className="flex justify-between gap-4 px-4 py-3 font-semibold">
        <dt>Together</dt>
        <dd className="tabular-nums">
          {ledgerText(Math.round(balances.reduce((sum, { amount }) => sum + amount * 100, 0)) / 100)}
        </dd>
      </div>
    </dl>
  </Section>
);
