import { useState, type MouseEvent } from 'react';
import {
  Link,
  Navigate,
  useLoaderData,
  useLocation,
  useNavigate,
  useSearchParams,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { signIn } from '#contract/users/identity.ts';
import { call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { fromQuery, returnPath } from '#web/shell/data/return-path.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { AccountFrame } from './account-frame.tsx';
import { emailToSend, isNewcomer, passwordHint, signInProblems } from './credentials.ts';
import { PasskeySignIn } from '#web/account/passkeys/passkey-sign-in.tsx';
import { PasswordField } from './password-field.tsx';
import { SocialButtons } from '#web/account/social/social-buttons.tsx';
import { loadWays } from '#web/account/social/social-ways.ts';
import { useSocial } from '#web/account/social/use-social.ts';

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: 'Sign In',
    description: 'Sign in to Dogear to book second-hand books or to sell your own.',
    path: '/login',
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

export const loader = ({ context }: LoaderFunctionArgs) => loadOnServer(context, loadWays);
export const clientLoader = () => loadInBrowser(loadWays);

const Login = () => {
  const { ways } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const [hint, setHint] = useState<string>();
  const target = returnPath(query.get('from'));
  const session = useSession();
  const { state } = useLocation();
  const welcome = (name: string): string =>
    isNewcomer(state) ? `Welcome to Dogear, ${name}.` : `Welcome back, ${name}.`;
  const form = useForm({
    names: ['email', 'password'],
    check: signInProblems,
    send: async ({ email, password }) => {
      const { user } = await call(signIn, { body: { email: emailToSend(email), password } });
      // The page then leads on by itself, as it does for anybody who is signed in.
      await beginSession(user);
      toast('Sign In!', { text: welcome(user.displayName) });
    },
  });
  const social = useSocial({ page: 'login', from: target });
  if (session.status === 'in' && !social.arriving) return <Navigate to={target} replace />;
  return (
    <AccountFrame
      title="Sign In"
      words="Every book here has been read, loved, and is ready to be read again."
      turning={form.button.busy || social.busy !== undefined}
      aside={
        <>
          New to Dogear?{' '}
          <Link to={`/register${fromQuery(target)}`} className="text-link">
            Create Account
          </Link>
        </>
      }
    >
      <form {...form.props} className="flex flex-col gap-5" aria-label="Sign In">
        <Field
          {...form.field('email')}
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={query.get('email') ?? ''}
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
      <PasskeySignIn onSignedIn={({ displayName }) => toast('Sign In!', { text: welcome(displayName) })} />
      <SocialButtons what="sign-in" social={social} ways={ways} />
      <p className="text-center text-sm text-muted">
        By signing in you accept our{' '}
        <Link to="/#terms" className="text-link">
          Terms
        </Link>{' '}
        and{' '}
        <Link to="/#privacy" className="text-link">
          Privacy
        </Link>{' '}
        notice.
      </p>
    </AccountFrame>
  );
};
export default Login;
