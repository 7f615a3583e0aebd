import { useState } from 'react';
import { Link, useNavigate, type MetaFunction } from 'react-router';
import type { FieldErrors } from '#contract/errors.ts';
import { passwordProblem } from '#contract/users/identity-rules.ts';
import { RESET_LINK_MINUTES, resetPassword } from '#contract/users/mail-links.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { beginSession, forgetSession } from '#web/api/session.ts';
import { pageMeta } from '#web/shell/layout/page-meta.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { AccountFrame } from './account-frame.tsx';
import { signInPath } from '#web/shell/sign-in/credentials.ts';
import { useLinkToken } from './link-token.ts';
import { PasswordField } from '#web/shell/sign-in/password-field.tsx';
import { PasswordRules } from '#web/shell/sign-in/password-rules.tsx';

export const meta: MetaFunction = () => [...pageMeta('New password'), { name: 'robots', content: 'noindex' }];

const LinkOver = ({ title, children }: { title: string; children: string }) => (
  <Notice
    tone="warning"
    title={title}
    action={
      <Link to="/forgot-password" className={buttonClass()}>
        Ask for another link
      </Link>
    }
  >
    {children}
  </Notice>
);

const problemsOf = ({ password }: { password: string }): FieldErrors => {
  const problem = passwordProblem(password);
  return problem === undefined ? {} : { password: problem };
};

const Reset = () => {
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const [isOver, setIsOver] = useState(false);
  const navigate = useNavigate();
  const form = useForm({
    names: ['password'],
    check: problemsOf,
    send: async (values) => {
      try {
        const { email, user } = await call(resetPassword, { body: { token: token ?? '', password: values.password } });
        if (user === null) {
          // Whoever was signed in with this browser may be no longer: the reset ended all their sessions.
          forgetSession();
          toast('Your new password is set', { text: 'Please sign in with it.' });
          return await navigate(signInPath(email, '/'), { replace: true });
        }
        await beginSession(user);
        toast('Your new password is set', { text: 'You are signed in here, and signed out everywhere else.' });
        return await navigate('/', { replace: true });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'link_over') throw error;
        return setIsOver(true);
      }
    },
  });
  return (
    <AccountFrame
      title="New password"
      words="Turn the page: the next chapter has a new key."
      turning={form.button.busy}
      aside="Choose one that you use nowhere else."
    >
      {token === '' && (
        <LinkOver title="This address is not complete">
          Please open the link in the mail once more, all of it. If it is broken over two lines, copy both.
        </LinkOver>
      )}
      {isOver && (
        <LinkOver title="This link does not work any more">
          {`It was used already, or it is older than ${RESET_LINK_MINUTES} minutes. Your password is as it was.`}
        </LinkOver>
      )}
      {token !== '' && !isOver && (
        <form {...form.props} className="flex flex-col gap-5" aria-label="Choose a new password">
          <PasswordField
            {...form.field('password')}
            label="New password"
            autoComplete="new-password"
            hint={<PasswordRules password={password} />}
            onChange={(event) => setPassword(event.target.value)}
            required
          />
          {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
          <Button {...form.button}>{form.button.busy ? 'Setting it…' : 'Set new password'}</Button>
          <p className="text-sm text-muted">It signs you in here and ends every other session of your account.</p>
        </form>
      )}
    </AccountFrame>
  );
};
export default Reset;
