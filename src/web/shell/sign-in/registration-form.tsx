import { useRef, useState, type ReactNode } from 'react';
import { saveProfile, signUp, type SessionUser } from '#contract/users/identity.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { useForm, type Form } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { emailToSend, registrationProblems } from './credentials.ts';
import { PasswordField } from './password-field.tsx';
import { PasswordRules } from './password-rules.tsx';
import { useGuessable } from './use-guessable.ts';

interface Registration extends Form<'email' | 'name' | 'password'> {
  /** Somebody has an account with that address already. */
  readonly isTaken: boolean;
}

const goOn = (): Promise<void> => Promise.resolve();

/** Makes an account of what is typed and signs it in; `onRegistered` leads on, where the page does not by itself. */
export const useRegistration = (onRegistered: () => Promise<void> = goOn): Registration => {
  const [isTaken, setTaken] = useState(false);
  // Made a moment ago, when only signing in failed: trying again must not find the address taken.
  const made = useRef<{ user: SessionUser; email: string; password: string }>(undefined);
  const form = useForm({
    names: ['email', 'name', 'password'],
    check: registrationProblems,
    send: async (values) => {
      const name = values.name.trim();
      const email = emailToSend(values.email);
      if (made.current?.email !== email || made.current.password !== values.password) {
        setTaken(false);
        const answer = await call(signUp, { body: { name, email, password: values.password } }).catch(
          (error: unknown) => {
            setTaken(error instanceof ApiError && error.code === 'email_taken');
            throw error;
          },
        );
        made.current = { user: answer.user, email, password: values.password };
        toast('Registered successfully!');
      }
      const { user } = made.current;
      await beginSession(user);
      // The account has its name already; a profile that cannot be saved now must not hold anybody up.
      await call(saveProfile, { body: { name, email: user.email } }).catch((error: unknown) =>
        toast('Your profile was not saved', { tone: 'error', text: messageOf(error) }),
      );
      await onRegistered();
    },
  });
  return { ...form, isTaken };
};

/** The form of `useRegistration`; `whenTaken` is what to do about an address that has an account already. */
export const RegistrationForm = ({ form, whenTaken }: { form: Registration; whenTaken?: ReactNode }) => {
  const [password, setPassword] = useState('');
  const warning = useGuessable();
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Create Account">
      <Field
        {...form.field('email')}
        label="Email"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        hint="You sign in with it. It ends in 2 or 3 letters, such as .com or .org."
        required
      />
      <Field
        {...form.field('name')}
        label="Name"
        autoComplete="name"
        maxLength={200}
        hint="As buyers and sellers will see it."
        required
      />
      <PasswordField
        {...form.field('password')}
        autoComplete="new-password"
        hint={<PasswordRules password={password} />}
        warning={warning.text}
        onChange={(event) => {
          setPassword(event.target.value);
          warning.check(event.target);
        }}
        required
      />
      <Button {...form.button}>{form.button.busy ? 'Creating your account…' : 'Create Account'}</Button>
      <p className="text-sm text-muted">
        Whoever creates an account, here or through another service, is 16 or older and accepts the{' '}
        <a href="/#terms" target="_blank" className="text-link">
          Terms & Conditions<span className="sr-only"> (in a new tab)</span>
        </a>
        .
      </p>
      {form.failure !== undefined && (
        <Notice tone="error" action={form.isTaken && whenTaken}>
          {form.failure}
        </Notice>
      )}
    </form>
  );
};
