import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listPayments, readMoneyState, type PaymentsSort } from '#contract/money/money-admin.ts';
import { paymentSetup } from '#contract/money/payments.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { reloadsUnlessHidden, sortOf, sortQuery, useSorting, type SortChoices } from '#web/shell/data/list-address.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useMore } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Balances, Differences, Disputes, Health } from './money-parts.tsx';
import { OrdersToDecide } from './orders-to-decide.tsx';
import { Payments } from './payments.tsx';
import { providerOf } from './provider-link.tsx';
import { SetupCheck } from './setup-check.tsx';

export const meta: MetaFunction = () => pageMeta('Money');

const SORTS: SortChoices<PaymentsSort> = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['amount-down', 'Largest amount first'],
  ['amount-up', 'Smallest amount first'],
];

export const shouldRevalidate = reloadsUnlessHidden;

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const sort = sortOf(request.url, SORTS);
      const [state, first, setup] = await Promise.all([
        api.call(readMoneyState, {}),
        api.callPage(listPayments, { query: sortQuery(sort, SORTS) }),
        api.call(paymentSetup, {}),
      ]);
      return { sort, state, first, setup };
    },
    'admin',
  );

const Money = () => {
  const { sort, state, first, setup } = useLoaderData<typeof clientLoader>();
  const readOn = (cursor: string) => callPage(listPayments, { query: { cursor, ...sortQuery(sort, SORTS) } });
  const list = useMore(first, readOn, { keepPlace: true, of: sort });
  const sorting = useSorting(sort, SORTS);
  useRefreshOnFocus();
  return (
    <>
      <PageHeading
        title="Money"
        action={
          <Link to="/dashboard/money/by-hand" className={buttonClass('secondary', 'sm')}>
            Payouts by hand
          </Link>
        }
      >
        Payments, refunds and disputes.
      </PageHeading>
      <Health state={state} />
      <Differences differences={state.differences} />
      <OrdersToDecide orders={state.orders} />
      <Disputes disputes={state.disputes} at={providerOf(setup)} />
      <Payments list={list} at={providerOf(setup)} sorting={sorting} />
      <Balances balances={state.balances} />
      <SetupCheck />
    </>
  );
};
export default Money;
