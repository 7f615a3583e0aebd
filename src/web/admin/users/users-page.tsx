import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigation } from 'react-router';
import type { ListedUser } from '#contract/admin/admin.ts';
import { formatCount } from '#contract/count.ts';
import { useChosenColumns, useSorting } from '#web/shell/data/list-address.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState, SkeletonRows } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { SearchForm } from '#web/admin/search-form.tsx';
import type { Users } from './use-users.ts';
import { USERS_SORTS, type UsersAsked } from './users-search.ts';

const rolesText = ({ roles, suspended }: ListedUser): string =>
  [roles.length === 0 ? 'none yet' : roles.join(', '), ...(suspended ? ['suspended'] : [])].join(', ');

/** Breaks before the @ where it must, elsewhere only if nothing else helps. */
const Address = ({ email }: { email: string }) => {
  const at = email.lastIndexOf('@');
  return (
    <span className="wrap-anywhere">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
};

/** The columns that both lists begin with. */
const WHO: readonly Column<ListedUser>[] = [
  { header: 'No.', cell: (_, index) => <span className="text-muted tabular-nums">{index + 1}</span> },
  {
    header: 'Name',
    lead: true,
    sort: { up: 'name-up', down: 'name-down' },
    cell: ({ name }) => <span className="row-title">{name}</span>,
  },
  { header: 'Email', under: true, cell: ({ email }) => <Address email={email} /> },
  { header: 'Role', brief: true, cell: rolesText },
];

export interface UsersPageProps {
  title: string;
  about: string;
  caption: string;
  /** One and many of whom it lists. */
  words: readonly [one: string, many: string];
  asked: UsersAsked;
  users: Users;
  /** The columns after name, email and role; `askDelete` opens the dialog. */
  columns: (askDelete: (user: ListedUser) => void) => readonly Column<ListedUser>[];
}

const countText = (total: number | undefined, [one, many]: readonly [string, string], q: string): string => {
  if (total === undefined) return '';
  return `${formatCount(total)} ${total === 1 ? one : many}${q === '' ? '' : ` with “${q}”`}`;
};

const wordsIn = (search: string): string => new URLSearchParams(search).get('q') ?? '';

/** A list of users with its search, its table, its end and the dialog that asks before deleting. */
export const UsersPage = ({ title, about, caption, words, asked: { q, sort }, users, columns }: UsersPageProps) => {
  const { pathname, search } = useLocation();
  const { location: next } = useNavigation();
  const searching = next?.pathname === pathname && wordsIn(next.search) !== wordsIn(search);
  const sorting = useSorting(sort, USERS_SORTS);
  const choosing = useChosenColumns();
  const [toDelete, setToDelete] = useState<ListedUser>();
  const count = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The row with the pressed button is gone: whoever uses a keyboard goes on from the head of the list.
    if (users.gone > 0) count.current?.focus({ preventScroll: true });
  }, [users.gone]);
  const list = (
    <>
      <Table
        caption={sort === 'newest' ? `${caption}, the newest first` : caption}
        columns={[...WHO, ...columns(setToDelete)]}
        rows={users.rows}
        rowKey={({ _id }) => _id}
        nameOf={({ name }) => name}
        sorting={sorting}
        choosing={choosing}
      />
      <ListEnd list={users} />
    </>
  );
  const nobody = (
    <EmptyState
      title={q === '' ? `No ${words[1]} yet` : 'Nobody found'}
      action={
        q !== '' && (
          <Link to={pathname} replace className={buttonClass('secondary')}>
            Show everybody
          </Link>
        )
      }
    >
      {q === '' ? 'They appear here as soon as there are some.' : `No name and no address holds “${q}”.`}
    </EmptyState>
  );
  return (
    <>
      <PageHeading title={title}>{about}</PageHeading>
      <SearchForm q={q} busy={searching} />
      <p ref={count} role="status" tabIndex={-1} className="mb-3 text-sm text-muted wrap-anywhere outline-none">
        {searching ? '' : countText(users.total, words, q)}
      </p>
      {searching ? (
        <SkeletonRows rows={6} label="Searching" />
      ) : users.rows.length === 0 && !users.hasMore ? (
        nobody
      ) : (
        list
      )}
      <DeleteDialog
        user={toDelete}
        onDeleted={({ _id }) => users.note(_id, 'gone')}
        onClose={() => setToDelete(undefined)}
      />
    </>
  );
};
