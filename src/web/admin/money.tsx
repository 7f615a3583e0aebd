import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listPayments, readMoneyState } from '#contract/money-admin.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/guard.ts';
import { pageMeta } from '#web/shell/page-meta.ts';
import { useMore } from '#web/shell/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/use-refresh-on-focus.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Balances, Differences, Disputes, Health } from './money-parts.tsx';
import { Payments } from './payments.tsx';

export const meta: MetaFunction = () => pageMeta('Money');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [state, first] = await Promise.all([
        api.call(readMoneyState, {}),
        api.callPage(listPayments, { query: {} }),
      ]);
      return { state, first };
    },
    'admin',
  );

const Money = () => {
  const { state, first } = useLoaderData<typeof clientLoader>();
  const list = useMore(first, (cursor) => callPage(listPayments, { query: { cursor } }), { keepPlace: true });
  useRefreshOnFocus();
  return (
    <>
      <PageHeading title="Money">Whether everything adds up, and what needs you.</PageHeading>
      <Health state={state} />
      <Differences differences={state.differences} />
      <Disputes disputes={state.disputes} />
      <Payments list={list} />
      <Balances balances={state.balances} />
    </>
  );
};
export default Money;
