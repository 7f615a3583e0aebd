import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listPayments, readMoneyState } from '#contract/money/money-admin.ts';
import { paymentSetup } from '#contract/money/payments.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
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

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [state, first, setup] = await Promise.all([
        api.call(readMoneyState, {}),
        api.callPage(listPayments, { query: {} }),
        api.call(paymentSetup, {}),
      ]);
      return { state, first, setup };
    },
    'admin',
  );

const Money = () => {
  const { state, first, setup } = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(listPayments, { query: { cursor } }), { keepPlace: true });
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
      <Payments list={list} at={providerOf(setup)} />
      <Balances balances={state.balances} />
      <SetupCheck />
    </>
  );
};
export default Money;
