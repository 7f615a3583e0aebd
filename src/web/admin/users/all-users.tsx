import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listUsers, type ListedUser } from '#contract/admin/admin.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { reloadsUnlessHidden } from '#web/shell/data/list-address.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { UsersPage } from './users-page.tsx';
import { askedIn, queryOf } from './users-search.ts';
import { MakeAdminDialog, RemoveAdminDialog } from './role-dialogs.tsx';
import { AskButton, DeleteButton, PersonLink, useAsked } from '#web/admin/row-action.tsx';
import { SuspendButton, SuspendDialog } from './suspending.tsx';
import { useUsers } from './use-users.ts';

export const meta: MetaFunction = () => pageMeta('All Users');

export const shouldRevalidate = reloadsUnlessHidden;

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { uid }) => {
      const asked = askedIn(request.url);
      return { uid, asked, first: await api.callPage(listUsers, { query: queryOf(asked) }) };
    },
    'admin',
  );

const AllUsers = () => {
  const { uid, asked, first } = useLoaderData<typeof clientLoader>();
  const users = useUsers(listUsers, asked, first);
  const promoting = useAsked<ListedUser>();
  const demoting = useAsked<ListedUser>();
  const suspending = useAsked<ListedUser>();
  const noteSuspended = (user: ListedUser, suspended: boolean): void => users.note(user._id, { suspended });
  const noteRoles = ({ _id }: ListedUser, roles: ListedUser['roles']): void =>
    users.note(_id, { role: roles[0] ?? '', roles });
  const others = ({ roles }: ListedUser) => roles.filter((role) => role !== 'admin');

  return (
    <>
      <UsersPage
        title="All Users"
        about="Everybody with an account."
        caption="All users"
        words={['user', 'users']}
        asked={asked}
        users={users}
        columns={(askDelete) => [
          {
            header: 'Actions',
            end: true,
            quiet: true,
            cell: (user) => (
              <div className="flex flex-1 flex-wrap items-start gap-2 xl:flex-nowrap sm:justify-end">
                <PersonLink user={user} />
                {!user.roles.includes('admin') ? (
                  <AskButton label="Make Admin" name={user.name} onPress={(event) => promoting.ask(user, event)} />
                ) : (
                  user._id !== uid && (
                    <AskButton
                      look="quiet-danger"
                      label="Remove admin"
                      name={user.name}
                      onPress={(event) => demoting.ask(user, event)}
                    />
                  )
                )}
                <SuspendButton user={user} asked={suspending} onDone={() => noteSuspended(user, false)} />
                <DeleteButton name={user.name} own={user._id === uid} onPress={() => askDelete(user)} />
              </div>
            ),
          },
        ]}
      />
      <MakeAdminDialog asked={promoting} onDone={(user) => noteRoles(user, ['admin', ...others(user)])} />
      <SuspendDialog asked={suspending} onDone={(user) => noteSuspended(user, true)} />
      <RemoveAdminDialog asked={demoting} onDone={(user) => noteRoles(user, others(user))} />
    </>
  );
};
export default AllUsers;
