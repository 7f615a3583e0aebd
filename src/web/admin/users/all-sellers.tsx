import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listSellers, type ListedUser } from '#contract/admin/admin.ts';
import { formatCount } from '#contract/count.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { reloadsUnlessHidden } from '#web/shell/data/list-address.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { VerifiedIcon } from '#web/ui/verified-mark.tsx';
import { VerifyDialog } from './verify-dialog.tsx';
import { UsersPage } from './users-page.tsx';
import { askedIn, queryOf } from './users-search.ts';
import { RemoveTickDialog } from './role-dialogs.tsx';
import { AskButton, DeleteButton, PersonLink, useAsked } from '#web/admin/row-action.tsx';
import { useUsers } from './use-users.ts';

export const meta: MetaFunction = () => pageMeta('All Sellers');

export const shouldRevalidate = reloadsUnlessHidden;

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { uid }) => {
      const asked = askedIn(request.url);
      return { uid, asked, first: await api.callPage(listSellers, { query: queryOf(asked) }) };
    },
    'admin',
  );

const Tick = ({ name }: { name: string }) => (
  <span className="inline-flex align-middle text-success" title="Verified">
    <VerifiedIcon className="size-6" />
    <span className="sr-only">{name} is verified</span>
  </span>
);

const AllSellers = () => {
  const { uid, asked, first } = useLoaderData<typeof clientLoader>();
  const users = useUsers(listSellers, asked, first);

  const verifying = useAsked<ListedUser>();
  const verifyButton = (user: ListedUser) => (
    <AskButton look="secondary" label="Verified" name={user.name} onPress={(event) => verifying.ask(user, event)} />
  );
  const unverifying = useAsked<ListedUser>();

  return (
    <>
      <UsersPage
        title="All Sellers"
        about="Everybody who sells. Buyers see a tick beside the sellers you verify. Cancelled counts what was paid and a seller did not send."
        caption="All sellers"
        words={['seller', 'sellers']}
        asked={asked}
        users={users}
        columns={(askDelete) => [
          {
            header: 'Verified',
            end: true,
            brief: true,
            cell: (user) => (user.status === 'verified' ? <Tick name={user.name} /> : verifyButton(user)),
          },
          {
            header: 'Cancelled',
            end: true,
            cell: ({ cancelled = 0 }) => <span className="tabular-nums">{formatCount(cancelled)}</span>,
          },
          {
            header: 'Actions',
            end: true,
            quiet: true,
            cell: (user) => (
              <div className="flex flex-1 flex-wrap items-start gap-2 xl:flex-nowrap sm:justify-end">
                <PersonLink user={user} />
                {user.status === 'verified' && (
                  <AskButton
                    look="quiet-danger"
                    label="Remove tick"
                    name={user.name}
                    onPress={(event) => unverifying.ask(user, event)}
                  />
                )}
                <DeleteButton name={user.name} own={user._id === uid} onPress={() => askDelete(user)} />
              </div>
            ),
          },
        ]}
      />
      <VerifyDialog asked={verifying} onDone={({ _id }) => users.note(_id, { status: 'verified' })} />
      <RemoveTickDialog asked={unverifying} onDone={({ _id }) => users.note(_id, { status: 'unverified' })} />
    </>
  );
};
export default AllSellers;
