import { lazy, Suspense, useState } from 'react';
import { Link, useLoaderData, useRevalidator, useSearchParams } from 'react-router';
import type { ClientLoaderFunctionArgs, MetaFunction } from 'react-router';
import { IDENTITY_FROM, readOwnIdentity, type Identity } from '#contract/law/identity.ts';
import { readBankDetails } from '#contract/money/by-hand.ts';
import { listPayouts, readPayoutAccount, type PayoutAccount, type PayoutShown } from '#contract/money/payouts.ts';
import { formatDollars } from '#contract/money/money.ts';
import { readAccount } from '#contract/users/account.ts';
import { callPage } from '#web/api/call.ts';
import type { Api } from '#web/api/client.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore } from '#web/shell/data/use-more.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState, Notice, SkeletonRows } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { MoneyFigures } from '#web/selling/money-figures.tsx';
import { PayoutPlace } from './payout-place.tsx';

export const meta: MetaFunction = () => pageMeta('Payouts');

// Most shops pay by the provider.
const BankPlace = lazy(() => import('./bank-place.tsx').then((module) => ({ default: module.BankPlace })));

/** What the form for bank details wants to know. */
const loadByHand = async (api: Api) => {
  const [bank, { hasPassword }] = await Promise.all([api.call(readBankDetails, {}), api.call(readAccount, {})]);
  return { bank, hasPassword };
};

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [account, first, identity] = await Promise.all([
        api.call(readPayoutAccount, {}),
        api.callPage(listPayouts, { query: {} }),
        api.call(readOwnIdentity, {}),
      ]);
      return { account, first, identity, byHand: account.way === 'manual' ? await loadByHand(api) : undefined };
    },
    'seller',
  );

const STATES: Readonly<Record<PayoutShown['state'], string>> = {
  asked: 'On its way',
  sent: 'Sent',
  refused: 'Not made',
  returned: 'Returned',
};

const DUE = 'What you were due';

const COLUMNS: readonly Column<PayoutShown>[] = [
  { header: 'Date', under: true, cell: ({ at }) => <Time at={at} as="date" /> },
  {
    header: 'For',
    lead: true,
    cell: ({ orderId, title }) =>
      orderId === null ? (
        DUE
      ) : (
        <Link to={`/dashboard/orders/${orderId}`} className="text-link row-words wrap-anywhere">
          {title}
        </Link>
      ),
  },
  {
    header: 'How it stands',
    brief: true,
    cell: ({ state, says }) => (
      <div className="max-sm:text-end">
        <span className="font-semibold">{STATES[state]}</span>
        <span className="when-open block max-w-prose text-sm text-muted">{says}</span>
      </div>
    ),
  },
  {
    header: 'Amount',
    end: true,
    brief: true,
    cell: ({ amount, reversed }) => (
      <span className="font-semibold whitespace-nowrap tabular-nums">
        {formatDollars(amount)}
        {reversed > 0 && <span className="block text-sm font-normal">{formatDollars(-reversed)} taken back</span>}
      </span>
    ),
  },
];

const BankPayouts = ({ rows }: { rows: PayoutAccount['bankPayouts'] }) => (
  <section aria-labelledby="bank" className="mt-10">
    <h2 id="bank" className="mb-3 font-serif text-xl font-semibold">
      To your bank
    </h2>
    <ul className="flex flex-col divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
      {rows.map(({ _id, amount, arrivesAt, says }) => (
        <li key={_id} className="flex items-baseline justify-between gap-4 px-5 py-3">
          <span className="max-w-prose">
            {says}
            {arrivesAt !== null && (
              <span className="block text-sm text-muted">
                <Time at={arrivesAt} as="date" />
              </span>
            )}
          </span>
          <span className="font-semibold whitespace-nowrap tabular-nums">{formatDollars(amount)}</span>
        </li>
      ))}
    </ul>
  </section>
);

const Place = ({ account, byHand }: Pick<Awaited<ReturnType<typeof clientLoader>>, 'account' | 'byHand'>) => {
  if (byHand !== undefined) {
    return (
      <Suspense fallback={<SkeletonRows rows={3} />}>
        <BankPlace bank={byHand.bank} hasPassword={byHand.hasPassword} />
      </Suspense>
    );
  }
  if (account.way === 'connect') return <PayoutPlace account={account} />;
  return (
    <Notice title="Nothing is paid out for now">
      The shop has switched payouts off. What you are due stays yours.
    </Notice>
  );
};

/** Asks who has sold much to show who they are. */
const WhoYouAre = ({ identity: { state, by } }: { identity: Identity }) => {
  if (state !== 'asked' && state !== 'paused') return null;
  return (
    <div className="mb-6">
      <Notice
        tone="warning"
        title={state === 'paused' ? 'Payouts wait until we know who you are' : 'Please show us who you are'}
      >
        You have sold more than {IDENTITY_FROM.sales} books and {formatDollars(IDENTITY_FROM.dollars)} within a year:
        the law has us know who you are. Set your payouts up at the payment provider where this page offers it, or send
        a document to the shop, whose address is in its{' '}
        <a href="/#imprint" className="text-link">
          imprint
        </a>
        .
        {state === 'asked' && by !== null && (
          <>
            {' '}
            Until <Time at={by} as="date" /> payouts go on.
          </>
        )}
      </Notice>
    </div>
  );
};

const PAID_HOW: Readonly<Record<PayoutAccount['way'], string>> = {
  connect: 'Once an order is closed, what you earned by it is paid out by itself.',
  manual: 'Once an order is closed, the shop sends what you earned by it to your bank account.',
  none: 'Once an order is closed, what you earned by it is yours.',
};

const Payouts = () => {
  const { account, first, identity, byHand } = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(listPayouts, { query: { cursor } }), { keepPlace: true });
  const { revalidate, state } = useRevalidator();
  // The provider leads back with this where its page was left open for too long, or opened twice.
  const [search] = useSearchParams();
  const [isAgain] = useState(search.has('again'));
  return (
    <>
      <PageHeading
        title="Payouts"
        action={
          <Button look="secondary" size="sm" busy={state === 'loading'} onClick={() => void revalidate()}>
            Look again
          </Button>
        }
      >
        What you earned, and how it comes to you. Each row behind it is in your{' '}
        <Link to="/dashboard/statement" className="text-link">
          statement
        </Link>
        .
      </PageHeading>
      {isAgain && account.status !== 'active' && (
        <div className="mb-6">
          <Notice tone="warning" title="That page is over">
            It works once and for a few minutes. What you typed there is kept: go on below.
          </Notice>
        </div>
      )}
      <WhoYouAre identity={identity} />
      <MoneyFigures figures={account} />
      <Place account={account} byHand={byHand} />
      {account.bankPayouts.length > 0 && <BankPayouts rows={account.bankPayouts} />}
      <section aria-labelledby="payouts" className="mt-10">
        <h2 id="payouts" className="mb-3 font-serif text-xl font-semibold">
          Your payouts
        </h2>
        {list.rows.length === 0 ? (
          <EmptyState title="Nothing paid out yet">{PAID_HOW[account.way]}</EmptyState>
        ) : (
          <>
            <Table
              caption="Your payouts, newest first"
              columns={COLUMNS}
              rows={list.rows}
              rowKey={({ _id }) => _id}
              nameOf={({ orderId, title }) => (orderId === null ? DUE : title)}
            />
            <ListEnd list={list} />
          </>
        )}
      </section>
    </>
  );
};
export default Payouts;
