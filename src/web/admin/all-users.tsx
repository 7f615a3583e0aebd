import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listUsers, makeAdmin, type ListedUser } from '#contract/admin.ts';
import { call } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/guard.ts';
import { pageMeta } from '#web/shell/page-meta.ts';
import { toast } from '#web/ui/toast-store.ts';
import { PeoplePage } from './people-page.tsx';
import { queryOf, searchOf } from './people-search.ts';
import { DeleteButton, RowAction } from './row-action.tsx';
import { usePeople } from './use-people.ts';

export const meta: MetaFunction = () => pageMeta('All Users');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api, { uid }) => {
      const q = searchOf(request.url);
      return { uid, q, first: await api.callPage(listUsers, { query: queryOf(q) }) };
    },
    'admin',
  );

const AllUsers = () => {
  const { uid, q, first } = useLoaderData<typeof clientLoader>();
  const people = usePeople(listUsers, q, first);

  const promote = async ({ _id, name, roles }: ListedUser): Promise<void> => {
    const { modifiedCount } = await call(makeAdmin, { params: { id: _id } });
    if (modifiedCount === 1) toast('Make Admin Successful');
    else toast(`${name} is an admin already`, { tone: 'info' });
    people.note(_id, { role: 'admin', roles: ['admin', ...roles] });
  };

  return (
    <PeoplePage
      title="All Users"
      about="Everybody with an account, the newest first."
      caption="All users, the newest first"
      words={['user', 'users']}
      q={q}
      people={people}
      columns={(askDelete) => [
        {
          header: 'Actions',
          end: true,
          quiet: true,
          cell: (user) => (
            <div className="flex flex-1 flex-wrap items-start gap-2 sm:justify-end">
              {!user.roles.includes('admin') && (
                <RowAction label="Make Admin" name={user.name} act={() => promote(user)} />
              )}
              <DeleteButton name={user.name} own={user._id === uid} onPress={() => askDelete(user)} />
            </div>
          ),
        },
      ]}
    />
  );
};
export default AllUsers;
