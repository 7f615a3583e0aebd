import { useEffect, useState, useSyncExternalStore } from 'react';
import { passkeyToConfirm, readAccount, type Account } from '#contract/users/account.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { confirmSignIn } from '#web/api/session.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Or } from '#web/ui/or.tsx';
import { Notice, SkeletonRows } from '#web/ui/states.tsx';
import { ByService, useLinkedServices } from './reauthentication-by-service.tsx';
import {
  reauthenticationQuestion,
  noQuestion,
  subscribeToReauthentication,
  type ReauthenticationReason,
} from './reauthentication.ts';
import { passkeyMessageOf, showPasskey } from '#web/shell/sign-in/passkey-browser.ts';
import { PasswordField } from '#web/shell/sign-in/password-field.tsx';

interface WayProps {
  onConfirmed: () => void;
}

const ByPassword = ({ onConfirmed }: WayProps) => {
  const form = useForm({
    names: ['password'],
    check: ({ password }): Record<string, string> =>
      password === '' ? { password: 'Please enter your password' } : {},
    send: async ({ password }) => {
      await confirmSignIn({ password });
      onConfirmed();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4" aria-label="Confirm with your password">
      <PasswordField {...form.field('password')} autoComplete="current-password" required />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button}>{form.button.busy ? 'Checking…' : 'Confirm with the password'}</Button>
    </form>
  );
};

const ByRecoveryCode = ({ onConfirmed }: WayProps) => {
  const form = useForm({
    names: ['recoveryCode'],
    check: ({ recoveryCode }): Record<string, string> =>
      recoveryCode.trim() === '' ? { recoveryCode: 'Please enter one of your recovery codes' } : {},
    send: async ({ recoveryCode }) => {
      await confirmSignIn({ recoveryCode });
      onConfirmed();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4" aria-label="Confirm with a recovery code">
      <Field
        {...form.field('recoveryCode')}
        label="Recovery code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        hint="Each of them works once."
        required
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} look="secondary">
        {form.button.busy ? 'Checking…' : 'Confirm with the code'}
      </Button>
    </form>
  );
};

/** A button that has the browser ask for the passkey. */
export const ByPasskey = ({ onConfirmed }: WayProps) => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const press = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { options } = await call(passkeyToConfirm, {});
      await confirmSignIn({ passkey: await showPasskey(options) });
      onConfirmed();
    } catch (error) {
      setFailure(passkeyMessageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-4">
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <Button busy={busy} onClick={() => void press()}>
        Confirm with a passkey
      </Button>
    </div>
  );
};

/** The ways in which this person can prove that it is them; the second factor is no password. */
export const WaysToConfirm = ({
  account,
  reason,
  onConfirmed,
}: WayProps & { account: Account; reason: ReauthenticationReason }) => {
  const [code, setCode] = useState(false);
  const passkeys = account.passkeys.length > 0;
  const password = account.hasPassword && reason === 'fresh_sign_in_needed';
  const codes = account.recoveryCodesLeft > 0;
  const linked = useLinkedServices();
  const services = reason === 'fresh_sign_in_needed' ? linked : [];
  if (!passkeys && !password && services === undefined)
    return <SkeletonRows rows={1} label="Looking up how you sign in" />;
  if (!passkeys && !password && services?.length === 0) {
    return (
      <Notice title="Please sign in again">
        You sign in through another service. Sign out, sign in with it again, and come back within 15 minutes.
      </Notice>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      {passkeys && <ByPasskey onConfirmed={onConfirmed} />}
      {passkeys && password && <Or />}
      {password && <ByPassword onConfirmed={onConfirmed} />}
      {services !== undefined && services.length > 0 && (
        <>
          {(passkeys || password) && <Or />}
          <ByService services={services} onConfirmed={onConfirmed} />
        </>
      )}
      {codes && !code && (
        <button type="button" className="text-link min-h-11 self-start text-sm" onClick={() => setCode(true)}>
          Use a recovery code
        </button>
      )}
      {codes && code && <ByRecoveryCode onConfirmed={onConfirmed} />}
    </div>
  );
};

const Ways = ({ reason, onConfirmed }: WayProps & { reason: ReauthenticationReason }) => {
  const [account, setAccount] = useState<Account>();
  const [failure, setFailure] = useState<string>();
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    call(readAccount, {})
      .then(setAccount)
      .catch((error: unknown) => setFailure(messageOf(error)));
  }, [attempt]);
  const retry = (): void => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  if (failure !== undefined) {
    return (
      <Notice tone="error" action={<Button onClick={retry}>Try again</Button>}>
        {failure}
      </Notice>
    );
  }
  if (account === undefined) return <SkeletonRows rows={2} label="Looking up how you sign in" />;
  return <WaysToConfirm account={account} reason={reason} onConfirmed={onConfirmed} />;
};

const WORDS = {
  fresh_sign_in_needed: 'You signed in a while ago. Before anything is changed, show once more that it is you.',
  second_factor_needed: 'Admins show their passkey before they change what guards their account.',
} as const;

/**
 * Asks whoever is signed in to confirm that it is them, when `withFreshSignIn` needs it; once on a page that uses it.
 */
export const ReauthenticationDialog = () => {
  const question = useSyncExternalStore(subscribeToReauthentication, reauthenticationQuestion, noQuestion);
  // Nobody waits for an answer on a page that was left.
  useEffect(() => () => reauthenticationQuestion()?.answer(false), []);
  return (
    <Modal open={question !== undefined} title="Is it you?" onClose={() => question?.answer(false)}>
      {question !== undefined && (
        <>
          <p className="mb-5 text-muted">{WORDS[question.reason]}</p>
          <Ways reason={question.reason} onConfirmed={() => question.answer(true)} />
        </>
      )}
    </Modal>
  );
};
