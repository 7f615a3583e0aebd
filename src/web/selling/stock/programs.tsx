import { useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listWebhooks } from '#contract/programs/webhooks.ts';
import { listApiKeys } from '#contract/users/api-keys.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { ReauthenticationDialog } from '#web/shell/reauthentication/reauthentication-dialog.tsx';
import { StockTabs } from './stock-tabs.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Keys } from './programs/keys.tsx';
import { Webhooks } from './programs/webhooks.tsx';

export const meta: MetaFunction = () => pageMeta('Programs');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [{ keys }, { webhooks }] = await Promise.all([api.call(listApiKeys, {}), api.call(listWebhooks, {})]);
      return { keys, webhooks };
    },
    'seller',
  );

/** Keys of a seller's programs, and where these are told of what was sold. */
const Programs = () => {
  const { keys, webhooks } = useLoaderData<typeof clientLoader>();
  const { revalidate } = useRevalidator();
  return (
    <>
      <PageHeading title="Stock">
        Your own programs keep the stock in step.{' '}
        <a href="/api/docs" className="text-link">
          What they can call
        </a>{' '}
        is the same as everybody’s.
      </PageHeading>
      <StockTabs />
      <Keys keys={keys} onChanged={revalidate} />
      <Webhooks webhooks={webhooks} onChanged={revalidate} />
      <ReauthenticationDialog />
    </>
  );
};
export default Programs;
