import { useRevalidator } from 'react-router';
import { payOtherwise, type PaymentShown } from '#contract/money/money-admin.ts';
import { referenceProblems } from '#contract/money/references.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const MAX_REFERENCE_LENGTH = 100;

const PaidForm = ({ payment, onClose }: { payment: PaymentShown; onClose: () => void }) => {
  const { revalidate } = useRevalidator();
  const form = useForm({
    names: ['reference'],
    draft: false,
    check: referenceProblems,
    send: async (body) => {
      await call(payOtherwise, { params: { id: payment._id }, body }).finally(() => void revalidate());
      toast('Refund noted', { text: `${payment.buyer} is told by email how it was paid.` });
      onClose();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <p className="text-muted">
        Stripe could not give the money for <em>{payment.title}</em> back. Say here once you have sent it to{' '}
        <span dir="auto">{payment.buyer}</span> from the shop’s own bank account. It is not tried at Stripe again.
      </p>
      <Field
        {...form.field('reference')}
        label="Reference"
        hint="Such as the number of the transfer; emailed to the buyer and kept in the audit."
        maxLength={MAX_REFERENCE_LENGTH}
        autoComplete="off"
        required
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button {...form.button}>It is paid</Button>
      </div>
    </form>
  );
};

/** Asks how a refund that failed reached its buyer in another way. */
export const PaidOtherwiseDialog = ({ of, onClose }: { of: PaymentShown | undefined; onClose: () => void }) => (
  <Modal open={of !== undefined} title="Paid another way?" onClose={onClose}>
    {of !== undefined && <PaidForm payment={of} onClose={onClose} />}
  </Modal>
);
