import { Link } from 'react-router';

interface SortLinksProps<Sort extends string> {
  /** Each order with what it is called; the first is the one of an address that names none. */
  sorts: readonly (readonly [sort: Sort, label: string])[];
  sort: Sort;
}

/** The orders of a list as links: each has an address of its own. */
export const SortLinks = <Sort extends string>({ sorts, sort }: SortLinksProps<Sort>) => (
  <nav aria-label="Sort" className="flex flex-wrap items-center gap-x-4 text-sm">
    <span className="text-muted" aria-hidden="true">
      Sort by
    </span>
    {sorts.map(([one, label], place) => (
      <Link
        key={one}
        to={{ search: place === 0 ? '' : `?sort=${one}` }}
        aria-current={one === sort ? 'true' : undefined}
        preventScrollReset
        className="text-link inline-flex min-h-6 items-center aria-[current]:font-semibold aria-[current]:text-base-content aria-[current]:no-underline"
      >
        {label}
      </Link>
    ))}
  </nav>
);

/** The order that an address asks for; the first where it asks for none that there is. */
export const sortIn = <Sort extends string>(
  search: URLSearchParams | string,
  sorts: readonly [Sort, ...Sort[]],
): Sort => {
  const asked = new URLSearchParams(search).get('sort');
  return sorts.find((sort) => sort === asked) ?? sorts[0];
};
