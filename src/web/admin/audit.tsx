import {
  Form,
  Link,
  useLoaderData,
  useNavigation,
  type ClientLoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { AUDITED, downloadAudit, listAudit, type Audited, type AuditEntry } from '#contract/admin/audit.ts';
import { messageOf } from '#web/api/api-error.ts';
import { callPage } from '#web/api/call.ts';
import { callFile } from '#web/api/call-file.ts';
import { loadSignedIn } from '#web/shell/data/guard.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore } from '#web/shell/data/use-more.ts';
import { useRefreshOnFocus } from '#web/shell/data/use-refresh-on-focus.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { DownloadButton } from '#web/ui/download-button.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { EmptyState, SkeletonRows } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table/table.tsx';
import { MAX_SEARCH_LENGTH } from '#web/admin/users/users-search.ts';

export const meta: MetaFunction = () => pageMeta('Audit');

const isAudited = (text: string): text is Audited => AUDITED.some((action) => action === text);

/** What an address asks for; a day the browser cannot have sent asks for nothing. */
const filterOf = (address: string): Record<'q' | 'from' | 'to', string> & { action: Audited | '' } => {
  const asked = new URL(address).searchParams;
  const text = (name: string): string => (asked.get(name) ?? '').trim();
  const day = (name: string): string => (/^\d{4}-\d\d-\d\d$/.test(text(name)) ? text(name) : '');
  const action = text('action');
  return {
    q: text('q').slice(0, MAX_SEARCH_LENGTH),
    action: isAudited(action) ? action : '',
    from: day('from'),
    to: day('to'),
  };
};

export const clientLoader = ({ request }: ClientLoaderFunctionArgs) => {
  const filter = filterOf(request.url);
  return loadSignedIn(
    request,
    async (api) => ({ filter, first: await api.callPage(listAudit, { query: filter }) }),
    'admin',
  );
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    header: 'When',
    under: true,
    cell: ({ at }) => <Time at={at} as="moment" />,
  },
  {
    header: 'What',
    lead: true,
    cell: ({ says, reason, subjectKind, subjectId, details }) => (
      <div className="min-w-0">
        <p className="row-words font-semibold wrap-anywhere">{says}</p>
        {reason !== '' && <p className="when-open text-sm wrap-anywhere">Reason: {reason}</p>}
        <details className="when-open text-sm text-muted">
          <summary className="w-fit cursor-pointer py-1">
            Details<span className="sr-only">: {says}</span>
          </summary>
          <ul className="wrap-anywhere">
            {[{ name: subjectKind, value: subjectId }, ...details].map(({ name, value }) => (
              <li key={name}>
                {name}: {value}
              </li>
            ))}
          </ul>
        </details>
      </div>
    ),
  },
  {
    header: 'Who',
    end: true,
    cell: ({ who }) =>
      who === null ? (
        <span className="text-muted">The operator</span>
      ) : (
        <span className="flex flex-col wrap-anywhere max-sm:items-end sm:items-end">
          {who.name}
          <span className="text-sm text-muted">{who.email}</span>
        </span>
      ),
  },
];

const Filter = ({ filter, busy }: { filter: ReturnType<typeof filterOf>; busy: boolean }) => (
  // Made anew for another address, so that back, forward and "Show everything" change the fields too.
  <Form
    key={JSON.stringify(filter)}
    role="search"
    replace
    className="mb-6 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[2fr_2fr_1fr_1fr_auto]"
  >
    <Field
      type="search"
      name="q"
      label="Person, book or category"
      defaultValue={filter.q}
      maxLength={MAX_SEARCH_LENGTH}
    />
    <Select name="action" label="What was done" defaultValue={filter.action}>
      <option value="">Anything</option>
      {AUDITED.map((action) => (
        <option key={action} value={action}>
          {sentence(action)}
        </option>
      ))}
    </Select>
    <Field type="date" name="from" label="From" defaultValue={filter.from} />
    <Field type="date" name="to" label="To" defaultValue={filter.to} />
    <Button type="submit" look="secondary" busy={busy}>
      Show
    </Button>
  </Form>
);

const Audit = () => {
  const { filter, first } = useLoaderData<typeof clientLoader>();
  const { state } = useNavigation();
  const busy = state === 'loading';
  const read = (cursor: string) => callPage(listAudit, { query: { ...filter, cursor } });
  const list = useMore(first, read, { keepPlace: true, of: JSON.stringify(filter) });
  useRefreshOnFocus();
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <PageHeading
        title="Audit"
        action={
          list.rows.length > 0 && (
            <DownloadButton
              label="Download as CSV"
              name="dogear-audit.csv"
              read={() => callFile(downloadAudit, filter)}
              say={messageOf}
            />
          )
        }
      >
        Who did what, and when. Nothing here can be changed or removed. Dates in UTC.
      </PageHeading>
      <Filter filter={filter} busy={busy} />
      {busy ? (
        <SkeletonRows rows={6} label="Looking" />
      ) : list.rows.length === 0 ? (
        <EmptyState
          title={isNarrowed ? 'Nothing like that' : 'Nothing yet'}
          action={
            isNarrowed && (
              <Link to="/dashboard/audit" replace className={buttonClass('secondary')}>
                Show everything
              </Link>
            )
          }
        >
          {isNarrowed ? 'Nothing that was done fits what you asked for.' : 'What admins do is written down here.'}
        </EmptyState>
      ) : (
        <>
          <Table
            caption="What was done, newest first"
            columns={COLUMNS}
            rows={list.rows}
            rowKey={({ _id }) => _id}
            nameOf={({ says }) => says}
          />
          <ListEnd list={list} />
        </>
      )}
    </>
  );
};
export default Audit;
