import type { ReactNode } from 'react';
import { addPasskey, passkeyToAdd, removePasskey, renamePasskey, type Passkey } from '#contract/users/account.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { isVisible } from '#contract/text.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { asApiError, makePasskey } from '#web/shell/sign-in/passkey-browser.ts';

const nameProblems = ({ name }: { name: string }): FieldErrors =>
  isVisible(name) ? {} : { name: 'Give the passkey a name' };

const Foot = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <div className="flex flex-wrap justify-end gap-3">
    <Button look="secondary" onClick={onClose}>
      Cancel
    </Button>
    {children}
  </div>
);

/** Makes a passkey in the browser and adds it to the account; answers the recovery codes that came with a first one. */
const add = (name: string): Promise<{ recoveryCodes: string[] | null }> =>
  withFreshSignIn(async () => {
    const { options } = await call(passkeyToAdd, {});
    const passkey = await makePasskey(options).catch((error: unknown) => Promise.reject(asApiError(error)));
    return call(addPasskey, { body: { name, passkey } });
  });

interface AddFormProps {
  onAdded: (codes: string[] | undefined) => void;
  onClose: () => void;
}

const AddForm = ({ onAdded, onClose }: AddFormProps) => {
  const form = useForm({
    names: ['name'],
    check: nameProblems,
    send: async ({ name }) => {
      const { recoveryCodes } = await add(name.trim());
      toast('Passkey added', { text: 'You can sign in with it from now on.' });
      onAdded(recoveryCodes ?? undefined);
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Add a passkey">
      <p className="text-muted">
        A passkey is kept by this device, by your phone or by a security key, and opens with your finger, face or PIN.
        Nobody can guess it or trick you out of it.
      </p>
      <Field
        {...form.field('name')}
        label="Name"
        defaultValue="My passkey"
        maxLength={100}
        autoComplete="off"
        hint="So that you know it again, such as the device it is on."
        required
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Foot onClose={onClose}>
        <Button {...form.button}>{form.button.busy ? 'Waiting for the passkey…' : 'Add the passkey'}</Button>
      </Foot>
    </form>
  );
};

const RenameForm = ({ passkey, onDone, onClose }: { passkey: Passkey; onDone: () => void; onClose: () => void }) => {
  const form = useForm({
    names: ['name'],
    check: nameProblems,
    send: async ({ name }) => {
      await call(renamePasskey, { params: { id: passkey._id }, body: { name: name.trim() } });
      toast('Passkey renamed');
      onDone();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Rename the passkey">
      <Field
        {...form.field('name')}
        label="Name"
        defaultValue={passkey.name}
        maxLength={100}
        autoComplete="off"
        required
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Foot onClose={onClose}>
        <Button {...form.button}>Rename</Button>
      </Foot>
    </form>
  );
};

const RemoveForm = ({ passkey, onDone, onClose }: { passkey: Passkey; onDone: () => void; onClose: () => void }) => {
  const form = useForm({
    names: [],
    check: () => ({}),
    send: async () => {
      await withFreshSignIn(() => call(removePasskey, { params: { id: passkey._id } }));
      toast('Passkey removed', { text: `${passkey.name} opens this account no more.` });
      onDone();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Remove the passkey">
      <p className="text-muted">
        <strong className="text-base-content wrap-anywhere">{passkey.name}</strong> will not open this account any more.
        Delete it on its device too, where it is kept.
      </p>
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Foot onClose={onClose}>
        <Button {...form.button} look="danger">
          Remove
        </Button>
      </Foot>
    </form>
  );
};

/** What is about to be done with a passkey. */
export type PasskeyChange =
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey };

const TITLES = { add: 'Add a passkey', rename: 'Rename the passkey', remove: 'Remove the passkey?' } as const;

interface Props {
  /** Open while there is one. */
  change: PasskeyChange | undefined;
  /** With the recovery codes of a first passkey, to be shown this once. */
  onAdded: (codes: string[] | undefined) => void;
  /** After a passkey was named or removed. */
  onChanged?: () => void;
  onClose: () => void;
}

/** Asks for what a change of a passkey needs, and makes it. */
export const PasskeyDialog = ({ change, onAdded, onChanged, onClose }: Props) => {
  const done = (): void => {
    onClose();
    onChanged?.();
  };
  const added = (codes: string[] | undefined): void => {
    onClose();
    onAdded(codes);
  };
  return (
    <Modal open={change !== undefined} title={TITLES[change?.kind ?? 'add']} onClose={onClose}>
      {change?.kind === 'add' && <AddForm onAdded={added} onClose={onClose} />}
      {change?.kind === 'rename' && <RenameForm passkey={change.passkey} onDone={done} onClose={onClose} />}
      {change?.kind === 'remove' && <RemoveForm passkey={change.passkey} onDone={done} onClose={onClose} />}
    </Modal>
  );
};
