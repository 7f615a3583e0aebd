import { useRef, useState } from 'react';
import {
  Link,
  Navigate,
  useLoaderData,
  useNavigate,
  useSearchParams,
  type LoaderFunctionArgs,
  type MetaFunction,
} from 'react-router';
import { saveProfile, signUp, type SessionUser } from '#contract/users/identity.ts';
import { messageOf } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { beginSession } from '#web/api/session.ts';
import { loadInBrowser, loadOnServer } from '#web/shell/data/load.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { fromQuery, returnPath, SELLING_PATH } from '#web/shell/data/return-path.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { AccountFrame } from './account-frame.tsx';
import { emailToSend, registrationProblems } from './credentials.ts';
import { PasswordField } from './password-field.tsx';
import { PasswordRules } from './password-rules.tsx';
import { SocialButtons } from '#web/account/social/social-buttons.tsx';
import { useGuessable } from './use-guessable.ts';
import { loadWays } from '#web/account/social/social-ways.ts';
import { useSocial } from '#web/account/social/use-social.ts';

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: 'Create Account',
    description: 'Create a Dogear account to book second-hand books, or to sell the ones you have read.',
    path: '/register',
  });

export const loader = ({ context }: LoaderFunctionArgs) => loadOnServer(context, loadWays);
export const clientLoader = () => loadInBrowser(loadWays);

const Register = () => {
  const { ways } = useLoaderData<typeof loader>();
  const [query] = useSearchParams();
  const [password, setPassword] = useState('');
  const target = returnPath(query.get('from'));
  const session = useSession();
  const navigate = useNavigate();
  const warning = useGuessable();
  // Made a moment ago, when only signing in failed: trying again must not find the address taken.
  const made = useRef<{ user: SessionUser; email: string; password: string }>(undefined);
  const form = useForm({
    names: ['email', 'name', 'password'],
    check: registrationProblems,
    send: async (values) => {
      const name = values.name.trim();
      const email = emailToSend(values.email);
      if (made.current?.email !== email || made.current.password !== values.password) {
        const answer = await call(signUp, { body: { name, email, password: values.password } });
        made.current = { user: answer.user, email, password: values.password };
        toast('Registered successfully!');
      }
      const { user } = made.current;
      await beginSession(user);
      // The account has its name already; a profile that cannot be saved now must not hold anybody up.
      await call(saveProfile, { body: { name, email: user.email } }).catch((error: unknown) =>
        toast('Your profile was not saved', { tone: 'error', text: messageOf(error) }),
      );
      await navigate(`/user_type${fromQuery(target)}`, { replace: true });
    },
  });
  const social = useSocial({ page: 'register', from: target });
  if (session.status === 'in' && !form.button.busy && !social.arriving) {
    const { roles } = session.user;
    const isChoosing = roles.length === 0 || (target === SELLING_PATH && !roles.includes('seller'));
    return <Navigate to={isChoosing ? `/user_type${fromQuery(target)}` : target} replace />;
  }
  return (
    <AccountFrame
      title="Create Account"
      words="Give a good book a second reader, or be that reader yourself."
      turning={form.button.busy || social.busy !== undefined}
      aside={
        <>
          Already with us?{' '}
          <Link to={`/login${fromQuery(target)}`} className="text-link">
            Sign In
          </Link>
        </>
      }
    >
      <form {...form.props} className="flex flex-col gap-5" aria-label="Create Account">
        <Field
          {...form.field('email')}
          label="Email"
          type="email"
          autoComplete="username"
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
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      </form>
      <SocialButtons what="sign-up" social={social} ways={ways} />
    </AccountFrame>
  );
};
export default Register;
