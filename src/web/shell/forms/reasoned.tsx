import type { ReactNode } from 'react';
import { MAX_REASON_LENGTH, reasonProblems } from '#contract/admin/reason.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { useForm } from './use-form.ts';

interface ReasonedProps<Subject> {
  /** What it is about: the dialog is open while there is something. */
  of: Subject | undefined;
  title: string;
  /** Says what will happen. */
  children: ReactNode;
  confirmLabel: string;
  /** How its button looks; absent: as one that takes something away. */
  look?: 'primary' | 'danger';
  /** Who reads the reason. */
  hint: string;
  /** Does it. What it throws is said in the dialog, which stays open until it is done or given up. */
  act: (subject: Subject, reason: string) => Promise<void>;
  onClose: () => void;
}

type FormProps = Pick<ReasonedProps<unknown>, 'children' | 'confirmLabel' | 'look' | 'hint' | 'onClose'> & {
  act: (reason: string) => Promise<void>;
};

const ReasonForm = ({ children, confirmLabel, look = 'danger', hint, act, onClose }: FormProps) => {
  const form = useForm({
    names: ['reason'],
    draft: false,
    check: reasonProblems,
    send: async ({ reason }) => {
      await act(reason);
      onClose();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <div className="text-muted">{children}</div>
      <TextArea {...form.field('reason')} label="Reason" hint={hint} rows={3} maxLength={MAX_REASON_LENGTH} required />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button {...form.button} look={look}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
};

/** Asks before an admin gives somebody something or takes it from them, and why. */
export const Reasoned = <Subject,>({ of, title, act, ...form }: ReasonedProps<Subject>) => (
  <Modal open={of !== undefined} title={title} onClose={form.onClose}>
    {of !== undefined && <ReasonForm {...form} act={(reason) => act(of, reason)} />}
  </Modal>
);
