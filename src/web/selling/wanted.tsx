import { useState } from 'react';
import { useLoaderData, type ClientLoaderFunctionArgs, type MetaFunction } from 'react-router';
import { formatDollars } from '#contract/money/money.ts';
import { listUnfilledWants, readFirstRefusal, setFirstRefusal, type UnfilledWant } from '#contract/wants/wants.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { CheckField } from '#web/ui/check-field.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';

export const meta: MetaFunction = () => pageMeta('Wanted by Readers');

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) =>
  loadSignedIn(
    request,
    async (api) => {
      const [{ books }, { on }] = await Promise.all([api.call(listUnfilledWants, {}), api.call(readFirstRefusal, {})]);
      return { books, on };
    },
    'seller',
  );

/** Whether waiting readers may have this seller's books first. */
const FirstRefusal = ({ initially }: { initially: boolean }) => {
  const [on, setOn] = useState(initially);
  const [failure, setFailure] = useState<string>();
  const change = async (next: boolean): Promise<void> => {
    setOn(next);
    setFailure(undefined);
    try {
      setOn((await call(setFirstRefusal, { body: { on: next } })).on);
    } catch (error) {
      setOn(!next);
      setFailure(messageOf(error));
    }
  };
  return (
    <CheckField
      label="Offer my new books to waiting readers first"
      checked={on}
      error={failure}
      onChange={(event) => void change(event.target.checked)}
      hint="Whoever has waited longest has an hour to take it, at night until the morning; then the next, three at most. Without it your books are on the shelf at once."
    />
  );
};

const COLUMNS: readonly Column<UnfilledWant>[] = [
  {
    header: 'Title',
    lead: true,
    cell: ({ title, author, isbn13 }) => (
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{title === '' ? `ISBN ${isbn13}` : title}</p>
        <p className="text-sm text-muted">{[author, title === '' ? '' : isbn13].filter(Boolean).join(' · ')}</p>
      </div>
    ),
  },
  { header: 'Readers', end: true, brief: true, cell: ({ readers }) => <span className="tabular-nums">{readers}</span> },
  {
    header: 'The most',
    end: true,
    brief: true,
    cell: ({ most }) => <span className="tabular-nums">{most === null ? 'Any price' : formatDollars(most)}</span>,
  },
];

/** What readers look for and nobody sells, without saying who they are. */
const Wanted = () => {
  const { books, on } = useLoaderData<typeof clientLoader>();
  return (
    <>
      <PageHeading title="Wanted by Readers">
        Books that at least three readers look for, and that nobody sells here right now.
      </PageHeading>
      <div className="mb-6">
        <FirstRefusal initially={on} />
      </div>
      {books.length === 0 ? (
        <EmptyState title="Nothing is missing">Every book that several readers look for is on the shelf.</EmptyState>
      ) : (
        <Table
          caption="Books that readers look for, those that most want first"
          columns={COLUMNS}
          rows={books}
          rowKey={({ isbn13, title }) => `${isbn13} ${title}`}
          nameOf={({ title, isbn13 }) => (title === '' ? isbn13 : title)}
        />
      )}
    </>
  );
};
export default Wanted;
