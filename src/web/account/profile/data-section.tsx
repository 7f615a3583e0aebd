import { useState } from 'react';
import { useNavigate } from 'react-router';
import { deleteAccount, DELETION_WORD, exportAccount } from '#contract/users/account.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { callFile } from '#web/api/call-file.ts';
import { forgetSession } from '#web/api/session.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { Section } from './section.tsx';

/** A copy of everything, to take along. */
export const DataSection = () => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      saveFile(await callFile(exportAccount), `dogear-my-data-${new Date().toISOString().slice(0, 10)}.zip`);
      toast('Your data is saved', { text: 'Look among your downloads.' });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title="Your data"
      about="Everything the shop keeps about you: profile, sessions, books, bookings, orders, payments, as a zip of JSON files."
    >
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <Button look="secondary" className="self-start" busy={busy} onClick={() => void save()}>
        {busy ? 'Gathering your data…' : 'Export my data'}
      </Button>
    </Section>
  );
};

const DeleteForm = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate();
  const form = useForm({
    names: ['confirm'],
    check: ({ confirm }): FieldErrors =>
      confirm.trim().toUpperCase() === DELETION_WORD ? {} : { confirm: `Type ${DELETION_WORD} to go on` },
    send: async ({ confirm }) => {
      await withFreshSignIn(() => call(deleteAccount, { query: { confirm: confirm.trim().toUpperCase() } }));
      // First away from here: a private page of nobody would lead to the sign-in page.
      await navigate('/', { replace: true });
      forgetSession();
      toast('Your account is deleted', { tone: 'info', text: 'Thank you for having been with us.' });
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Delete my account">
      <ul className="list-disc space-y-1 pl-5 text-muted">
        <li>You are signed out everywhere, at once and for good.</li>
        <li>Your listings are hidden and your unpaid reservations released.</li>
        <li>With open orders, or while the shop owes you money, this waits until they are settled.</li>
        <li>Paid orders stay in the books of the shop, without your name, address and phone number.</li>
        <li>Your address is free again. Nobody can bring this account back.</li>
      </ul>
      <Field
        {...form.field('confirm')}
        label={`Type ${DELETION_WORD} to confirm`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        required
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Keep my account
        </Button>
        <Button {...form.button} look="danger">
          {form.button.busy ? 'Deleting…' : 'Delete my account'}
        </Button>
      </div>
    </form>
  );
};

/** The end of an account, by its owner. */
export const DeleteSection = () => {
  const [open, setOpen] = useState(false);
  return (
    <Section title="Delete the account" about="For good. Export your data first if you want to keep it.">
      <Button look="danger" className="self-start" onClick={() => setOpen(true)}>
        Delete my account …
      </Button>
      <Modal open={open} title="Delete your account?" onClose={() => setOpen(false)}>
        <DeleteForm onClose={() => setOpen(false)} />
      </Modal>
    </Section>
  );
};
