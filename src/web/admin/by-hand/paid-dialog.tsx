import { useRevalidator } from 'react-router';
import type { FieldErrors } from '#contract/errors.ts';
import { markPaid, type HandPayout } from '#contract/money/by-hand.ts';
import { formatDollars } from '#contract/money/money.ts';
import { isVisible } from '#contract/text.ts';
import { call } from '#web/api/call.ts';
import { shopNow } from '#web/api/shop-clock.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const MAX_REFERENCE_LENGTH = 140;

/** The reader's day, as a date field has it. */
const today = (): string => {
  const now = shopNow();
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
};

const problems = ({ reference, on }: Record<'reference' | 'on', string>): FieldErrors => ({
  ...(!isVisible(reference) && { reference: 'Give the reference of the transfer' }),
  ...(!/^\d{4}-\d\d-\d\d$/.test(on) && { on: 'Give the day on which the bank paid it' }),
});

const PaidForm = ({ payout, onClose }: { payout: HandPayout; onClose: () => void }) => {
  const { revalidate } = useRevalidator();
  const form = useForm({
    names: ['reference', 'on'],
    draft: false,
    check: problems,
    send: async (body) => {
      await call(markPaid, { params: { id: payout.id }, body }).finally(() => void revalidate());
      toast('Marked as paid', { text: `${payout.name} is told by email.` });
      onClose();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <p className="text-muted">
        {formatDollars(payout.amount)} to <span dir="auto">{payout.holder}</span>, {payout.shown}. Once the statement of
        your bank shows it.
      </p>
      <Field
        {...form.field('reference')}
        label="Reference"
        hint="By which you find it on the statement of your bank."
        maxLength={MAX_REFERENCE_LENGTH}
        autoComplete="off"
        required
      />
      <Field {...form.field('on')} label="Paid on" type="date" defaultValue={today()} required />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button {...form.button}>Mark paid</Button>
      </div>
    </form>
  );
};

/** Asks when and under which reference the bank paid a payout. */
export const PaidDialog = ({ of, onClose }: { of: HandPayout | undefined; onClose: () => void }) => (
  <Modal open={of !== undefined} title={`Was ${formatDollars(of?.amount ?? 0)} paid?`} onClose={onClose}>
    {of !== undefined && <PaidForm payout={of} onClose={onClose} />}
  </Modal>
);
