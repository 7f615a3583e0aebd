import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  ACTIONS_OF,
  decideAppeal,
  decideCase,
  type ReportAction,
  type ReportCase,
  type ReportedKind,
} from '#contract/admin/reports.ts';
import { MAX_REASON_LENGTH, reasonProblems } from '#contract/admin/reason.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Select, TextArea } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { SUSPENSION_TIMES } from '#web/admin/users/suspending.tsx';

interface DialogProps {
  /** What it is about: the dialog is open while there is something. */
  of: ReportCase | undefined;
  onClose: () => void;
}

const HIDE: Partial<Record<ReportedKind, string>> = {
  copy: 'Take the book off the shelf',
  photo: 'Take the photo down, for good',
  review: 'Take the review out of sight',
  message: 'Take the message out of sight',
};

const DELETE: Partial<Record<ReportedKind, string>> = {
  copy: 'Delete the book and its photos',
  person: 'Delete them: what they sold and did not post is paid back',
};

const actionLabel = (kind: ReportedKind, action: ReportAction): string =>
  ({
    'no-fault': 'Nothing is wrong',
    warn: 'Warn them',
    hide: HIDE[kind] ?? '',
    suspend: 'Suspend them',
    delete: DELETE[kind] ?? '',
  })[action];

/** What was decided meanwhile is read again. */
const useOnCase = () => {
  const { revalidate } = useRevalidator();
  return async (work: Promise<unknown>, done: string, text: string): Promise<void> => {
    try {
      await work;
      toast(done, { text });
      await revalidate();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'case_moved') void revalidate();
      throw error;
    }
  };
};

const Footer = ({ label, onClose, button }: { label: string; onClose: () => void; button: object }) => (
  <div className="flex flex-wrap justify-end gap-3">
    <Button look="secondary" onClick={onClose}>
      Cancel
    </Button>
    <Button {...button}>{label}</Button>
  </div>
);

const DecisionForm = ({ one, onClose }: { one: ReportCase; onClose: () => void }) => {
  const onCase = useOnCase();
  const [action, setAction] = useState<ReportAction>('no-fault');
  const form = useForm({
    names: ['reason', 'days'],
    draft: false,
    check: ({ reason }): FieldErrors => (action === 'no-fault' ? {} : reasonProblems({ reason })),
    send: async ({ reason, days }) => {
      const body = { action, reason, ...(action === 'suspend' && days !== '' && { days: Number(days) }) };
      await onCase(
        call(decideCase, { params: { id: one._id }, body }),
        'Decided',
        action === 'no-fault'
          ? 'Whoever reported it is told.'
          : 'They are told why, and who reported it that it was looked at.',
      );
      onClose();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <fieldset role="radiogroup" className="flex flex-col">
        <legend className="mb-1 text-sm font-semibold">What is done</legend>
        {ACTIONS_OF[one.kind].map((each) => (
          <label key={each} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="action"
              value={each}
              checked={each === action}
              className="size-5 shrink-0 accent-primary"
              onChange={() => setAction(each)}
            />
            {actionLabel(one.kind, each)}
          </label>
        ))}
      </fieldset>
      {action === 'suspend' && (
        <Select {...form.field('days')} label="For how long" defaultValue="30">
          {SUSPENSION_TIMES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
      {action !== 'no-fault' && (
        <TextArea
          {...form.field('reason')}
          label="Reason"
          hint="Emailed to them and kept in the audit."
          rows={3}
          maxLength={MAX_REASON_LENGTH}
        />
      )}
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Footer label="Decide" onClose={onClose} button={form.button} />
    </form>
  );
};

/** Asks what is done about something that was reported, and why. */
export const DecisionDialog = ({ of, onClose }: DialogProps) => (
  <Modal open={of !== undefined} title={`Decide about ${of?.title ?? ''}`} onClose={onClose}>
    {of !== undefined && <DecisionForm one={of} onClose={onClose} />}
  </Modal>
);

const AppealForm = ({ one, onClose }: { one: ReportCase; onClose: () => void }) => {
  const onCase = useOnCase();
  const [isUpheld, setIsUpheld] = useState(true);
  const form = useForm({
    names: ['reason'],
    draft: false,
    check: reasonProblems,
    send: async ({ reason }) => {
      const body = { isUpheld, reason };
      const done = isUpheld ? 'The decision stays' : 'The decision is taken back';
      await onCase(call(decideAppeal, { params: { id: one._id }, body }), done, 'They are told why.');
      onClose();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <blockquote dir="auto" className="border-s-2 border-base-300 ps-3 break-words whitespace-pre-line">
        {one.appeal}
      </blockquote>
      <fieldset role="radiogroup" className="flex flex-col">
        <legend className="mb-1 text-sm font-semibold">What becomes of the decision</legend>
        {([true, false] as const).map((stays) => (
          <label key={String(stays)} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="stays"
              checked={stays === isUpheld}
              className="size-5 shrink-0 accent-primary"
              onChange={() => setIsUpheld(stays)}
            />
            {stays ? 'It stays as it is' : 'It is taken back'}
          </label>
        ))}
      </fieldset>
      <TextArea
        {...form.field('reason')}
        label="Reason"
        hint="Emailed to them."
        rows={3}
        maxLength={MAX_REASON_LENGTH}
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Footer label="Decide" onClose={onClose} button={form.button} />
    </form>
  );
};

/** Asks whether a decision stays that somebody appealed against. */
export const AppealDialog = ({ of, onClose }: DialogProps) => (
  <Modal open={of !== undefined} title={`The appeal about ${of?.title ?? ''}`} onClose={onClose}>
    {of !== undefined && <AppealForm one={of} onClose={onClose} />}
  </Modal>
);
