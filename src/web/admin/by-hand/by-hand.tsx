import { Link, useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listAdjustments } from '#contract/money/adjustments.ts';
import { readBatch, readByHand } from '#contract/money/by-hand.ts';
import { callPage } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { useMore } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';
import { Adjustments } from './adjustments.tsx';
import { BatchView } from './batch.tsx';
import { Batches } from './batches.tsx';
import { Due } from './due.tsx';

export const meta: MetaFunction = () => pageMeta('Payouts by hand');

const MISSING = {
  message: 'There is no such batch.',
  next: { to: '/dashboard/money/by-hand', label: 'Payouts by hand' },
} as const;

export const clientLoader = ({ request, params: { id } }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      if (id !== undefined) return { batch: await api.call(readBatch, { params: { id } }) };
      const [state, adjustments] = await Promise.all([
        api.call(readByHand, {}),
        api.callPage(listAdjustments, { query: {} }),
      ]);
      return { state, adjustments };
    },
    'admin',
    MISSING,
  );

type Loaded = Awaited<ReturnType<typeof clientLoader>>;
type Overview = Required<Pick<Loaded, 'state' | 'adjustments'>>;

/** Where the shop pays by hand no more, or not yet. */
const NotByHand = ({ way }: { way: Overview['state']['way'] }) => {
  if (way === 'manual') return null;
  return (
    <div className="mb-8">
      <Notice title="This shop does not pay out by hand">
        {way === 'connect'
          ? 'Sellers are paid through Stripe Connect, by themselves.'
          : 'Payouts are switched off: what sellers are due stays theirs.'}{' '}
        To pay by bank transfer, the operator sets <code>PAYOUTS=manual</code> and a key that encrypts bank details, and
        starts the shop again; the operating manual says which, and what that asks of you. Corrections can be made
        either way.
      </Notice>
    </div>
  );
};

const OverviewPage = ({ state, adjustments }: Overview) => {
  const list = useMore(adjustments, (cursor) => callPage(listAdjustments, { query: { cursor } }), { keepPlace: true });
  return (
    <>
      <Link to="/dashboard/money" className="inline-block py-2.5 text-link">
        Money
      </Link>
      <PageHeading title="Payouts by hand">
        What sellers are due goes to the bank in batches, and what the bank did is noted here.
      </PageHeading>
      <NotByHand way={state.way} />
      {state.way === 'manual' && <Due state={state} />}
      {(state.way === 'manual' || state.batches.length > 0) && <Batches batches={state.batches} />}
      <Adjustments list={list} due={state.due} />
    </>
  );
};

const ByHand = () => {
  const { batch, state, adjustments } = useLoaderData<typeof clientLoader>() as Partial<Overview> &
    Pick<Loaded, 'batch'>;
  useRefreshOnFocus();
  if (batch !== undefined) return <BatchView key={batch.id} batch={batch} />;
  if (state === undefined || adjustments === undefined) return null;
  return <OverviewPage state={state} adjustments={adjustments} />;
};
export default ByHand;
