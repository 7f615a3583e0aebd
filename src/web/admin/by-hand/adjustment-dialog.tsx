import { useRevalidator } from 'react-router';
import { listSellers } from '#contract/admin/admin.ts';
import { MAX_REASON_LENGTH, reasonProblems } from '#contract/admin/reason.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { askAdjustment } from '#contract/money/adjustments.ts';
import type { DueByHand } from '#contract/money/by-hand.ts';
import { parseCents } from '#contract/money/money.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call, callPage } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select, TextArea } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const NAMES = ['email', 'way', 'amount', 'account', 'reason'] as const;
type Values = Record<(typeof NAMES)[number], string>;

const check = ({ email, amount, reason }: Values): FieldErrors => {
  const cents = parseCents(amount.trim());
  return {
    ...(!email.includes('@') && { email: 'Give the address the seller signs in with' }),
    ...((cents === undefined || cents === 0) && { amount: 'Give an amount such as 12.50' }),
    ...reasonProblems({ reason }),
  };
};

/** The id of the seller with this address. */
const findSeller = async (address: string, due: readonly DueByHand[]): Promise<string> => {
  const email = address.trim().toLowerCase();
  const known = due.find((one) => one.email.toLowerCase() === email);
  if (known !== undefined) return known.sellerId;
  const { rows } = await callPage(listSellers, { query: { q: email } });
  const seller = rows.find((one) => one.email.toLowerCase() === email);
  if (seller !== undefined) return seller._id;
  const message = 'No seller has this address';
  throw new ApiError({ status: 404, code: 'not_found', message, fields: { email: message } });
};

const AdjustmentForm = ({ due, onClose }: { due: readonly DueByHand[]; onClose: () => void }) => {
  const { revalidate } = useRevalidator();
  const form = useForm({
    names: NAMES,
    draft: false,
    check,
    send: async ({ email, way, amount, account, reason }) => {
      const sellerId = await findSeller(email, due);
      const body = {
        sellerId,
        amount: way === 'less' ? `-${amount.trim()}` : amount.trim(),
        account: account === 'commission' ? ('commission' as const) : ('refund-costs' as const),
        reason,
      };
      await call(askAdjustment, { body });
      await revalidate();
      toast('Asked for', { text: 'Another admin has to approve it.' });
      onClose();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <Field
        {...form.field('email')}
        label="Seller’s email address"
        type="email"
        inputMode="email"
        autoComplete="off"
        maxLength={254}
        required
      />
      <Select {...form.field('way')} label="What changes" defaultValue="more">
        <option value="more">They are due more</option>
        <option value="less">They are due less</option>
      </Select>
      <Field
        {...form.field('amount')}
        label="Amount in dollars"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        required
      />
      <Select {...form.field('account')} label="Where it comes from, or goes to" defaultValue="refund-costs">
        <option value="refund-costs">What refunds cost the shop</option>
        <option value="commission">What the shop earned</option>
      </Select>
      <TextArea
        {...form.field('reason')}
        label="Reason"
        hint="Kept in the audit, and read by whoever approves it."
        rows={3}
        maxLength={MAX_REASON_LENGTH}
        required
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button {...form.button}>Ask for it</Button>
      </div>
    </form>
  );
};

/** Asks for a correction of what a seller is due. */
export const AdjustmentDialog = ({
  open,
  due,
  onClose,
}: {
  open: boolean;
  due: readonly DueByHand[];
  onClose: () => void;
}) => (
  <Modal open={open} title="Ask for a correction" onClose={onClose}>
    {open && <AdjustmentForm due={due} onClose={onClose} />}
  </Modal>
);
