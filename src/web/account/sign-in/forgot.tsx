import { useState } from 'react';
import { Link, useSearchParams, type MetaFunction } from 'react-router';
import type { FieldErrors } from '#contract/errors.ts';
import { EMAIL_MESSAGE } from '#contract/users/identity-rules.ts';
import { forgotPassword, RESET_LINK_MINUTES } from '#contract/users/mail-links.ts';
import { call } from '#web/api/call.ts';
import { publicMeta } from '#web/shell/layout/page-meta.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { AccountFrame } from './account-frame.tsx';
import { emailToSend, signInPath } from '#web/shell/sign-in/credentials.ts';
import { MailboxHint } from './mailbox-hint.tsx';

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: 'Forgot password?',
    description: 'Get a link by mail and set a new password for your Dogear account.',
    path: '/forgot-password',
  });

const problemsOf = ({ email }: { email: string }): FieldErrors =>
  emailToSend(email) === '' ? { email: EMAIL_MESSAGE } : {};

interface Asked {
  readonly email: string;
  readonly mailbox: string | null;
  readonly times: number;
}

const OnItsWay = ({ email, mailbox, times }: Asked) => (
  <Notice tone="success" title={times > 1 ? 'Asked once more' : 'Look into your mailbox'}>
    <p>
      If <strong>{email}</strong> has an account here, a link is on its way to it. It works for {RESET_LINK_MINUTES}{' '}
      minutes and once.
    </p>
    <p className="mt-2">
      Nothing there after a few minutes? Look among the unwanted mail, or whether the address is the one you signed up
      with.
    </p>
    <MailboxHint path={mailbox} />
  </Notice>
);

const Forgot = () => {
  const [query] = useSearchParams();
  const [asked, setAsked] = useState<Asked>();
  const form = useForm({
    names: ['email'],
    check: problemsOf,
    send: async ({ email: typed }) => {
      const email = emailToSend(typed);
      const { mailbox } = await call(forgotPassword, { body: { email } });
      setAsked((before) => ({ email, mailbox, times: before?.email === email ? before.times + 1 : 1 }));
    },
  });
  return (
    <AccountFrame
      title="Forgot password?"
      words="A bookmark falls out now and then. We will find the page again."
      turning={form.button.busy}
      aside={
        <>
          It came back to you?{' '}
          <Link to={signInPath(query.get('email') ?? '', '/')} className="text-link">
            Sign In
          </Link>
        </>
      }
    >
      <form {...form.props} className="flex flex-col gap-5" aria-label="Forgot password?">
        <Field
          {...form.field('email')}
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={query.get('email') ?? ''}
          hint="We mail you a link to a page where you choose a new password."
          required
        />
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
        <div role="status" className="empty:-mb-5">
          {asked !== undefined && <OnItsWay {...asked} />}
        </div>
        <Button {...form.button} look={asked === undefined ? 'primary' : 'secondary'}>
          {form.button.busy ? 'Sending…' : asked === undefined ? 'Send me a link' : 'Send it again'}
        </Button>
      </form>
    </AccountFrame>
  );
};
export default Forgot;
