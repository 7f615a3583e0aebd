import { useState } from 'react';
import { useLocation, useNavigation, useSearchParams, type ShouldRevalidateFunctionArgs } from 'react-router';
import type { Choosing } from '#web/ui/table/column-menu.tsx';
import type { Sorting } from '#web/ui/table/sorting.tsx';

/** The orders of a list with their words; the first is that of a list that nobody has sorted. */
export type SortChoices<Sort extends string> = readonly (readonly [value: Sort, words: string])[];

/** What an address sorts by: its `?sort=` where it is one of them. */
export const sortOf = <Sort extends string>(address: string, choices: SortChoices<Sort>): Sort => {
  const asked = new URL(address).searchParams.get('sort');
  const [first] = choices;
  if (first === undefined) throw new Error('a list without an order');
  return (choices.find(([value]) => value === asked) ?? first)[0];
};

/** As the calls take it: absent for a list that nobody has sorted. */
export const sortQuery = <Sort extends string>(sort: Sort, [first]: SortChoices<Sort>): { sort?: Sort } =>
  sort === first?.[0] ? {} : { sort };

/** Not another page, and nothing that Back should go through one by one. */
const IN_PLACE = { replace: true, preventScrollReset: true } as const;

/** Keeps the order of a list in the page's address. */
export const useSorting = <Sort extends string>(by: Sort, choices: SortChoices<Sort>): Sorting => {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  const [search, setSearch] = useSearchParams();
  const nextSort = next?.pathname === pathname ? new URLSearchParams(next.search).get('sort') : search.get('sort');
  const busy = nextSort !== search.get('sort');
  return {
    by,
    choices,
    asked: busy ? (nextSort ?? choices[0]?.[0] ?? by) : by,
    busy,
    onSort: (value) =>
      setSearch((now) => {
        if (value === choices[0]?.[0]) now.delete('sort');
        else now.set('sort', value);
        return now;
      }, IN_PLACE),
  };
};

/** Keeps the columns that are left out in the page's address, under a name of their own for each table of a page. */
export const useChosenColumns = (name: 'hide' | `hide-${string}` = 'hide'): Choosing => {
  const [search, setSearch] = useSearchParams();
  const there = search.get(name) ?? '';
  // A box that was pressed shows it at once, not when the address has followed.
  const [pressed, setPressed] = useState<{ since: string; hidden: readonly string[] }>();
  if (pressed !== undefined && pressed.hidden.join(',') === there) setPressed(undefined);
  return {
    hidden: pressed?.since === there ? pressed.hidden : there.split(',').filter((key) => key !== ''),
    onHide: (hidden) => {
      setPressed({ since: there, hidden });
      setSearch((now) => {
        if (hidden.length === 0) now.delete(name);
        else now.set(name, hidden.join(','));
        return now;
      }, IN_PLACE);
    },
  };
};

const withoutHidden = ({ pathname, searchParams }: URL): string =>
  `${pathname}?${[...searchParams].filter(([name]) => !name.startsWith('hide')).join('&')}`;

/** For a page's `shouldRevalidate`: leaving a column out asks the shop for nothing. */
export const reloadsUnlessHidden = (args: ShouldRevalidateFunctionArgs): boolean => {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args;
  if (currentUrl.href === nextUrl.href) return defaultShouldRevalidate;
  return withoutHidden(currentUrl) !== withoutHidden(nextUrl) && defaultShouldRevalidate;
};
