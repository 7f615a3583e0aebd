import { useState, type MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { signIn } from '#contract/users/identity.ts';
import { call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { useForm, type Form } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { emailToSend, passwordHint, signInProblems } from './credentials.ts';
import { PasswordField } from './password-field.tsx';

/** Signs in with what is typed, and greets in the words of `welcome`. */
export const useSignIn = (welcome: (name: string) => string): Form<'email' | 'password'> =>
  useForm({
    names: ['email', 'password'],
    check: signInProblems,
    send: async ({ email, password }) => {
      const { user } = await call(signIn, { body: { email: emailToSend(email), password } });
      // What is on the page then leads on by itself, as it does for anybody who is signed in.
      await beginSession(user);
      toast('Sign In!', { text: welcome(user.displayName) });
    },
  });

/** Leads to the page that sends a link, with the address that is typed by now. */
const ForgotPassword = () => {
  const navigate = useNavigate();
  const open = async (event: MouseEvent<HTMLButtonElement>): Promise<void> => {
    const typed = new FormData(event.currentTarget.form ?? undefined).get('email');
    const email = typeof typed === 'string' ? emailToSend(typed) : '';
    await navigate(email === '' ? '/forgot-password' : `/forgot-password?${new URLSearchParams({ email }).toString()}`);
  };
  return (
    <button type="button" className="text-link -my-2 min-h-11 self-start text-sm" onClick={(event) => void open(event)}>
      Forgot password?
    </button>
  );
};

/** The form of `useSignIn`; `email` is filled in beforehand. */
export const SignInForm = ({ form, email = '' }: { form: ReturnType<typeof useSignIn>; email?: string }) => {
  const [hint, setHint] = useState<string>();
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Sign In">
      <Field
        {...form.field('email')}
        label="Email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={email}
        required
      />
      <PasswordField
        {...form.field('password')}
        autoComplete="current-password"
        hint={hint}
        onChange={(event) => setHint(passwordHint(event.target.value))}
        required
      />
      <ForgotPassword />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button}>{form.button.busy ? 'Signing in…' : 'Sign In'}</Button>
    </form>
  );
};
