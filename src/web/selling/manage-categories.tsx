import { useState } from 'react';
import { Link, useLoaderData, useRevalidator, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { listCategoryUse, type CategoryUse } from '#contract/catalog/category-admin.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { sortOf, useSorting, type SortChoices } from '#web/shell/data/list-address.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { CategoryDialog, type CategoryChange } from './category-dialogs.tsx';
import { CategoryForm } from './category-form.tsx';

export const meta: MetaFunction = () => pageMeta('Categories');

type Sort = 'name' | 'name-down' | 'books' | 'books-up';

const SORTS: SortChoices<Sort> = [
  ['name', 'Name, A to Z'],
  ['name-down', 'Name, Z to A'],
  ['books', 'Most books first'],
  ['books-up', 'Fewest books first'],
];

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => ({ sort: sortOf(request.url, SORTS), categories: await api.call(listCategoryUse, {}) }),
    'admin',
  );

/** The list is whole, and as the shop answers it by name: another order is made here. */
const inOrder = (categories: readonly CategoryUse[], sort: Sort): readonly CategoryUse[] => {
  if (sort === 'name') return categories;
  if (sort === 'name-down') return categories.toReversed();
  return categories.toSorted((a, b) => (sort === 'books' ? b.on_sale - a.on_sale : a.on_sale - b.on_sale));
};

const copies = ({ listings, on_sale }: CategoryUse): string =>
  listings === on_sale ? String(listings) : `${on_sale} (${listings} with sold and deleted ones)`;

const columns = (onChange: (change: CategoryChange) => void): readonly Column<CategoryUse>[] => [
  {
    header: 'Category',
    lead: true,
    sort: { up: 'name', down: 'name-down' },
    cell: (category) => (
      <div className="min-w-0">
        <Link to={`/category/${category.category_id}`} className="row-title hover:underline">
          {category.category_name}
        </Link>
        <p className="row-line">{category.category_id}</p>
      </div>
    ),
  },
  {
    header: 'Books',
    end: true,
    brief: true,
    sort: { up: 'books-up', down: 'books', first: 'down' },
    cell: (category) => <span className="tabular-nums">{copies(category)}</span>,
  },
  {
    header: 'Actions',
    end: true,
    quiet: true,
    cell: (category) => {
      const ofCategory = <span className="sr-only"> {category.category_name}</span>;
      return (
        <div className="flex flex-1 flex-wrap gap-2 xl:flex-nowrap sm:justify-end">
          <Button look="secondary" size="sm" onClick={() => onChange({ kind: 'rename', category })}>
            Rename{ofCategory}
          </Button>
          <Button look="secondary" size="sm" onClick={() => onChange({ kind: 'merge', category })}>
            Merge{ofCategory}
          </Button>
          {category.listings === 0 && (
            <Button look="quiet-danger" size="sm" onClick={() => onChange({ kind: 'delete', category })}>
              Delete{ofCategory}
            </Button>
          )}
        </div>
      );
    },
  },
];

const ManageCategories = () => {
  const { sort, categories } = useLoaderData<typeof clientLoader>();
  const sorting = useSorting(sort, SORTS);
  const { revalidate } = useRevalidator();
  const [change, setChange] = useState<CategoryChange>();
  useRefreshOnFocus();
  return (
    <>
      <PageHeading title="Categories">
        What every reader browses by. Merging moves all books; only a category without any can be deleted.
      </PageHeading>
      {categories.length === 0 ? (
        <EmptyState title="No categories yet">Add the first one below, or let a seller do it.</EmptyState>
      ) : (
        <Table
          caption="All categories"
          columns={columns(setChange)}
          rows={inOrder(categories, sort)}
          rowKey={(row) => row.category_id}
          nameOf={(row) => row.category_name}
          sorting={sorting}
        />
      )}
      <section className="mt-8 rounded-box border border-base-300 bg-base-100 p-5 sm:p-7">
        <h2 className="mb-5 font-serif text-xl font-semibold">A new category</h2>
        <CategoryForm onAdded={() => void revalidate()} />
      </section>
      <CategoryDialog change={change} categories={categories} onClose={() => setChange(undefined)} />
    </>
  );
};
export default ManageCategories;
