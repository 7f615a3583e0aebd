import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import {
  listReportCases,
  REPORT_REASONS,
  undoDecision,
  type CaseState,
  type ReportAction,
  type ReportCase,
  type ReportReason,
} from '#contract/admin/reports.ts';
import { photoPath } from '#contract/catalog/photo-path.ts';
import { call, callPage } from '#web/api/call.ts';
import { Time } from '#web/shell/data/time.tsx';
import { useMore, type Page } from '#web/shell/data/use-more.ts';
import { Button } from '#web/ui/button.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { AppealDialog, DecisionDialog } from './decision-dialogs.tsx';
import { RowAction } from '#web/admin/row-action.tsx';

const KINDS: Readonly<Record<ReportCase['kind'], string>> = {
  copy: 'Book',
  photo: 'Photo',
  person: 'Person',
  review: 'Review',
  message: 'Message',
};

const DONE: Readonly<Record<ReportAction, string>> = {
  'no-fault': 'Nothing found',
  warn: 'Warned',
  hide: 'Hidden',
  suspend: 'Suspended',
  delete: 'Deleted',
};

const labelOf = (reason: ReportReason): string =>
  reason === 'held' ? 'Held for a look' : (REPORT_REASONS.find(({ id }) => id === reason)?.label ?? '');

const Reports = ({ reports }: Pick<ReportCase, 'reports'>) => (
  <ul aria-label="Reports" className="flex flex-col gap-2">
    {reports.map(({ by, reason, words, at }, place) => (
      <li key={`${at} ${place}`} className="text-sm">
        <p>
          <span className="font-semibold">{labelOf(reason)}</span>{' '}
          <span className="text-muted">
            · {by === '' ? 'a visitor' : by} · <Time at={at} as="moment" />
          </span>
        </p>
        {words !== '' && (
          <p dir="auto" className="break-words whitespace-pre-line">
            {words}
          </p>
        )}
      </li>
    ))}
  </ul>
);

const About = ({ one }: { one: ReportCase }) => {
  const { _id, name, suspended } = one.about;
  return (
    <p className="text-sm text-muted">
      Account:{' '}
      {name === '' ? (
        'somebody who left'
      ) : (
        <Link to={`/dashboard/people/${_id}`} className="text-link">
          {name}
        </Link>
      )}
      {suspended && ' · suspended'}
      {one.upheldBefore > 0 &&
        ` · decided against ${one.upheldBefore === 1 ? 'once' : `${one.upheldBefore} times`} before`}
    </p>
  );
};

const Standing = ({ one }: { one: ReportCase }) => {
  const { decision, decidedAt, decidedBy, reason, appeal, appealUpheld } = one;
  if (decision === null || decidedAt === null)
    return one.isLate ? (
      <p className="text-sm font-semibold text-error">
        Waits since <Time at={one.openedAt} as="moment" />: longer than two days
      </p>
    ) : (
      <p className="text-sm text-muted">
        Waits since <Time at={one.openedAt} as="moment" />
      </p>
    );
  return (
    <>
      <p className="text-sm">
        <span className="font-semibold">{DONE[decision]}</span>{' '}
        <span className="text-muted">
          by {decidedBy} · <Time at={decidedAt} as="moment" />
        </span>
        {reason !== '' && (
          <>
            : <span dir="auto">{reason}</span>
          </>
        )}
      </p>
      {appeal !== '' && (
        <p className="text-sm">
          <span className="font-semibold">Appeal</span>
          {appealUpheld !== null && (appealUpheld ? ' (the decision stays)' : ' (taken back)')}:{' '}
          <span dir="auto" className="break-words whitespace-pre-line">
            {appeal}
          </span>
        </p>
      )}
    </>
  );
};

interface CaseProps {
  one: ReportCase;
  onDecide: () => void;
  onAppeal: () => void;
  onUndo: () => Promise<void>;
}

const Buttons = ({ one, onDecide, onAppeal, onUndo }: CaseProps) => {
  if (one.decision === null)
    return (
      <Button size="sm" onClick={onDecide}>
        Decide<span className="sr-only">: {one.title}</span>
      </Button>
    );
  if (one.appeal === '') return <RowAction label="Undo" name={one.title} act={onUndo} />;
  if (one.appealUpheld !== null) return null;
  if (one.isMine) return <p className="text-sm text-muted">You decided this: another admin looks at the appeal.</p>;
  return (
    <Button size="sm" onClick={onAppeal}>
      Look at the appeal<span className="sr-only">: {one.title}</span>
    </Button>
  );
};

const Case = (props: CaseProps) => {
  const { kind, title, path, photo, evidence, reports } = props.one;
  return (
    <li className="flex flex-col gap-3 p-4">
      <div>
        <p className="break-words">
          <span className="text-sm text-muted">{KINDS[kind]}: </span>
          {path === '' ? (
            <span className="font-semibold">{title}</span>
          ) : (
            <a dir="auto" href={path} className="font-semibold text-link">
              {title}
            </a>
          )}
        </p>
        <About one={props.one} />
        <Standing one={props.one} />
      </div>
      {photo !== null && (
        <a href={photoPath(photo, 1_600)} className="self-start">
          <img
            src={photoPath(photo, 320)}
            alt="What is reported, as it is now: show it large"
            className="max-h-60 rounded-field border border-base-300"
          />
        </a>
      )}
      {evidence !== '' && (
        <figure>
          <figcaption className="text-sm text-muted">As it was when it was reported</figcaption>
          <blockquote dir="auto" className="border-s-2 border-base-300 ps-3 break-words whitespace-pre-line">
            {evidence}
          </blockquote>
        </figure>
      )}
      <Reports reports={reports} />
      <div className="flex flex-wrap items-center gap-3">
        <Buttons {...props} />
      </div>
    </li>
  );
};

interface ListProps {
  state: CaseState;
  first: Page<ReportCase>;
  title: string;
  nothing: string;
}

/** Cases of one kind of standing, with what an admin does about each. */
export const ReportCases = ({ state, first, title, nothing }: ListProps) => {
  const list = useMore(first, (cursor) => callPage(listReportCases, { query: { state, cursor } }), { keepPlace: true });
  const { revalidate } = useRevalidator();
  const [deciding, setDeciding] = useState<ReportCase>();
  const [appealed, setAppealed] = useState<ReportCase>();
  const undo = async ({ _id: id }: ReportCase): Promise<void> => {
    await call(undoDecision, { params: { id } });
    toast('Taken back', { text: 'The report is open again.' });
    await revalidate();
  };
  return (
    <section id={state} aria-labelledby={`${state}-heading`} className="mb-8 scroll-mt-4">
      <h2 id={`${state}-heading`} className="mb-3 font-serif text-xl font-semibold">
        {title}
      </h2>
      {list.rows.length === 0 ? (
        <p className="text-muted">{nothing}</p>
      ) : (
        <>
          <ul aria-label={title} className="divide-y divide-base-300 rounded-box border border-base-300 bg-base-100">
            {list.rows.map((one) => (
              <Case
                key={one._id}
                one={one}
                onDecide={() => setDeciding(one)}
                onAppeal={() => setAppealed(one)}
                onUndo={() => undo(one)}
              />
            ))}
          </ul>
          <ListEnd list={list} />
        </>
      )}
      <DecisionDialog of={deciding} onClose={() => setDeciding(undefined)} />
      <AppealDialog of={appealed} onClose={() => setAppealed(undefined)} />
    </section>
  );
};
