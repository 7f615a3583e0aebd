import { useState } from 'react';
import type { ListedUser, listSellers, listUsers } from '#contract/admin.ts';
import { callPage } from '#web/api/call.ts';
import type { PageOf } from '#web/api/client.ts';
import { useMore, type More } from '#web/shell/use-more.ts';
import { queryOf } from './people-search.ts';

type PeopleList = typeof listUsers | typeof listSellers;
type FirstPage = PageOf<PeopleList>;
/** What became of someone on the list since it was read. */
type Change = 'gone' | Partial<ListedUser>;

const NONE: ReadonlyMap<string, Change> = new Map();

export interface People extends Omit<More<ListedUser>, 'rows'> {
  readonly rows: readonly ListedUser[];
  /** How many there are in all, where the shop said so. */
  readonly total: number | undefined;
  /** How many were deleted on this page: grows with each. */
  readonly gone: number;
  /** Shows what the shop confirmed without reading all pages again, so that the place in a long list is kept. */
  readonly note: (id: string, change: Change) => void;
}

/** A list of people that goes on page by page and takes up what is done to them. Reading it again starts it anew. */
export const usePeople = (list: PeopleList, q: string, first: FirstPage): People => {
  const { rows, ...more } = useMore(first, (cursor) => callPage(list, { query: { ...queryOf(q), cursor } }));
  const [noted, setNoted] = useState({ first, changes: NONE });
  const changes = noted.first === first ? noted.changes : NONE;
  const gone = [...changes.values()].filter((change) => change === 'gone').length;
  return {
    ...more,
    rows: rows.flatMap((user) => {
      const change = changes.get(user._id);
      return change === 'gone' ? [] : [{ ...user, ...change }];
    }),
    total: first.total === undefined ? undefined : first.total - gone,
    gone,
    note: (id, change) =>
      setNoted((before) => ({
        first,
        changes: new Map(before.first === first ? before.changes : NONE).set(id, change),
      })),
  };
};
