import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { Answer } from '#contract/endpoint.ts';
import { approveBatch, downloadBatch, type BatchFormat, type readBatch } from '#contract/money/by-hand.ts';
import { formatDollars } from '#contract/money/money.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { callFile } from '#web/api/call-file.ts';
import { Time } from '#web/shell/data/time.tsx';
import { Confirmed } from '#web/shell/forms/confirmed.tsx';
import { Button } from '#web/ui/button.tsx';
import { DownloadButton } from '#web/ui/download-button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { useKeptFocus } from '#web/ui/use-kept-focus.ts';
import { Payouts } from './batch-payouts.tsx';
import { payoutsText, standingOf } from './batches.tsx';

type Whole = Answer<typeof readBatch>;

/** The reasons for a second admin, each once. */
const Reasons = ({ payouts }: Pick<Whole, 'payouts'>) => {
  const reasons = new Set(payouts.flatMap(({ secondAdmin }) => secondAdmin ?? []));
  if (reasons.size === 0) return null;
  return (
    <ul className="mt-2 list-disc pl-5">
      {[...reasons].map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
};

const Approval = ({ batch }: { batch: Whole }) => {
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState<Whole>();
  const { id, mine, approvedBy, needsApproval, open, amount } = batch;
  const approved = useKeptFocus<HTMLParagraphElement>(approvedBy);
  if (approvedBy !== null) {
    return (
      <p ref={approved} tabIndex={-1} className="text-muted">
        Approved by {approvedBy}.
      </p>
    );
  }
  if (!needsApproval || open === 0) return null;
  const approve = async (): Promise<void> => {
    await call(approveBatch, { params: { id } }).finally(() => void revalidate());
    toast('Batch approved', { text: 'Its file can be downloaded now.' });
  };
  return (
    <>
      <Notice
        tone="warning"
        title="A second admin has to look at it"
        action={!mine && <Button onClick={() => setAsked(batch)}>Approve</Button>}
      >
        {mine
          ? 'You made it, or changed bank details that it pays to: ask another admin to open this page.'
          : 'Compare names, accounts and amounts with what you know. Its file can be downloaded once you approve.'}
        <Reasons payouts={batch.payouts} />
      </Notice>
      <Confirmed
        of={asked}
        title={`Approve ${formatDollars(amount)}?`}
        confirmLabel="Approve"
        look="primary"
        act={approve}
        onClose={() => setAsked(undefined)}
      >
        <p>You answer for it that these are the right accounts and amounts. It is written into the audit.</p>
      </Confirmed>
    </>
  );
};

const FILES: Readonly<Record<BatchFormat, string>> = { csv: 'Download CSV', nacha: 'Download NACHA' };

const Files = ({ batch: { id, formats } }: { batch: Whole }) => (
  <div className="flex flex-col gap-2">
    <div className="flex flex-wrap gap-3">
      {formats.map((format) => (
        <DownloadButton
          key={format}
          label={FILES[format]}
          read={() => callFile(downloadBatch, { format }, { id })}
          say={messageOf}
        />
      ))}
    </div>
    <p className="max-w-prose text-sm text-muted">
      It holds whole account numbers: keep it no longer than the bank needs it. Each download is written into the audit,
      and the file never changes after the first.
    </p>
  </div>
);

/** A batch with its payouts, and what can be done about each. */
export const BatchView = ({ batch }: { batch: Whole }) => {
  const [standing] = standingOf(batch);
  return (
    <>
      <Link to="/dashboard/money/by-hand" className="inline-block py-2.5 text-link">
        Payouts by hand
      </Link>
      <PageHeading title={`Batch of ${formatDollars(batch.amount)}`}>
        {payoutsText(batch.count)}, made by {batch.madeBy} on <Time at={batch.madeAt} as="moment" />. {standing}.
      </PageHeading>
      <div className="mb-8 flex flex-col gap-5">
        <Approval batch={batch} />
        {!batch.needsApproval && batch.formats.length > 0 && <Files batch={batch} />}
      </div>
      <Payouts payouts={batch.payouts} mayBePaid={!batch.needsApproval} />
    </>
  );
};
