import { useEffect, useRef, useState } from 'react';
import type { ListedUser, listSellers, listUsers } from '#contract/admin/admin.ts';
import { callPage } from '#web/api/call.ts';
import type { PageOf } from '#web/api/client.ts';
import { useMore, type More } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { queryOf, type UsersAsked } from './users-search.ts';

type UsersList = typeof listUsers | typeof listSellers;
type FirstPage = PageOf<UsersList>;
/** What became of someone on the list since it was read. */
type Change = 'gone' | Partial<ListedUser>;

export interface Users extends Omit<More<ListedUser>, 'rows'> {
  readonly rows: readonly ListedUser[];
  /** How many there are in all, where the shop said so. */
  readonly total: number | undefined;
  /** How many were deleted since the list was read: grows with each. */
  readonly gone: number;
  /** Shows what the shop confirmed without reading all pages again, so that the place in a long list is kept. */
  readonly note: (id: string, change: Change) => void;
}

/**
 * A list of users that goes on page by page and takes up what is done to them. It is read again when the admin comes
 * back to it, and stays where it was.
 */
export const useUsers = (list: UsersList, asked: UsersAsked, first: FirstPage): Users => {
  const read = (cursor: string) => callPage(list, { query: { ...queryOf(asked), cursor } });
  const { rows, ...more } = useMore(first, read, { keepPlace: true, of: JSON.stringify(asked) });
  // What was done is about the row as it was read: one that is read again knows it already.
  const [changes, setChanges] = useState<ReadonlyMap<ListedUser, Change>>(new Map());
  const newest = useRef(rows);
  useEffect(() => {
    newest.current = rows;
  });
  useRefreshOnFocus();
  const gone = rows.filter((row) => changes.get(row) === 'gone').length;
  return {
    ...more,
    rows: rows.flatMap((row) => {
      const change = changes.get(row);
      return change === 'gone' ? [] : [{ ...row, ...change }];
    }),
    total: first.total === undefined ? undefined : first.total - gone,
    gone,
    note: (id, change) => {
      const row = newest.current.find(({ _id }) => _id === id);
      if (row === undefined) return;
      setChanges((before) => {
        const noted = before.get(row);
        const isMore = change !== 'gone' && noted !== undefined && noted !== 'gone';
        return new Map(before).set(row, isMore ? { ...noted, ...change } : change);
      });
    },
  };
};
