import { useState } from 'react';
import { useSearchParams, type MetaFunction } from 'react-router';
import {
  MAX_REPORT_WORDS,
  REPORT_REASONS,
  REPORTED_KINDS,
  reportThing,
  type ReportedKind,
  type GivenReason,
} from '#contract/admin/reports.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Select, TextArea } from '#web/ui/field.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { NeedsScripts, Notice } from '#web/ui/states.tsx';

export const meta: MetaFunction = () => [...pageMeta('Report'), { name: 'robots', content: 'noindex' }];

const TITLES: Readonly<Record<ReportedKind, string>> = {
  copy: 'Report a book',
  photo: 'Report a photo',
  person: 'Report a seller',
  review: 'Report a review',
  message: 'Report a message',
};

const isKind = (text: string): text is ReportedKind => (REPORTED_KINDS as readonly string[]).includes(text);
const isReason = (text: string): text is GivenReason => REPORT_REASONS.some(({ id }) => id === text);

const NAMES = ['reason', 'words'] as const;

const problemsOf = ({ reason, words }: Record<(typeof NAMES)[number], string>): FieldErrors => ({
  ...(!isReason(reason) && { reason: 'Choose what is wrong' }),
  ...(reason === 'other' && words.trim() === '' && { words: 'Please say what is wrong' }),
});

const Form = ({ kind, id, onDone }: { kind: ReportedKind; id: string; onDone: () => void }) => {
  const form = useForm({
    names: NAMES,
    check: problemsOf,
    send: async ({ reason, words }) => {
      if (isReason(reason)) await call(reportThing, { body: { kind, id, reason, words } });
      onDone();
    },
  });
  return (
    <form {...form.props} className="flex max-w-xl flex-col gap-5">
      <Select {...form.field('reason')} label="What is wrong" defaultValue="">
        <option value="" disabled>
          Choose
        </option>
        {REPORT_REASONS.map(({ id: reason, label }) => (
          <option key={reason} value={reason}>
            {label}
          </option>
        ))}
      </Select>
      <TextArea
        {...form.field('words')}
        label="In your words"
        hint="What an admin should look at. Leave your own address and number out."
        rows={4}
        maxLength={MAX_REPORT_WORDS}
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} className="self-start">
        Send report
      </Button>
    </form>
  );
};

/** Tells the shop that something is wrong with a copy, a photo, a seller, a review or a message. */
const Report = () => {
  const [asked] = useSearchParams();
  const [isDone, setIsDone] = useState(false);
  const [kind, id] = [asked.get('kind') ?? '', asked.get('id') ?? ''];
  const home = (
    <a href="/" className={buttonClass('secondary')}>
      To the start page
    </a>
  );
  if (!isKind(kind) || id === '')
    return (
      <div className="page py-8">
        <PageHeading title="Report" />
        <Notice action={home}>Open what you want to report, and press Report there.</Notice>
      </div>
    );
  return (
    <div className="page py-8">
      <PageHeading title={TITLES[kind]}>
        An admin looks at it as it is now. Whoever it is about does not hear who reported it.
      </PageHeading>
      <NeedsScripts what="A report" />
      {isDone ? (
        <Notice tone="success" title="Thank you" action={home}>
          We look at it within two days. If you are signed in, we tell you when we have.
        </Notice>
      ) : (
        <Form kind={kind} id={id} onDone={() => setIsDone(true)} />
      )}
    </div>
  );
};
export default Report;
