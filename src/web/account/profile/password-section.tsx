import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { changePassword, type Account } from '#contract/users/account.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { passwordProblem } from '#contract/users/identity-rules.ts';
import { ApiError } from '#web/api/api-error.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { withFreshSignIn, withPassword } from '#web/shell/reauthentication/reauthentication.ts';
import { PasswordField } from '#web/shell/sign-in/password-field.tsx';
import { PasswordRules } from '#web/shell/sign-in/password-rules.tsx';
import { Section } from './section.tsx';

/** What was typed as the current password was shown to sign in again, and is wrong: that is said beside its field. */
const besideCurrent = (error: unknown): unknown => {
  if (!(error instanceof ApiError) || error.code !== 'wrong_credentials') return error;
  const message = 'This is not your current password';
  return new ApiError({ status: error.status, code: error.code, message, fields: { current: message } });
};

/** Changes the password, or sets one for somebody who came through another service. */
export const PasswordSection = ({ account }: { account: Account }) => {
  const { revalidate } = useRevalidator();
  const [typed, setTyped] = useState('');
  const { hasPassword } = account;
  const form = useForm({
    names: ['current', 'password', 'endOthers'],
    check: ({ current, password }): FieldErrors => {
      const problem = passwordProblem(password);
      return {
        ...(hasPassword && current === '' && { current: 'Please enter your current password' }),
        ...(problem !== undefined && { password: problem }),
      };
    },
    send: async ({ current, password, endOthers }, element) => {
      const body = { password, endOthers: endOthers !== '', ...(hasPassword && { current }) };
      const change = () => call(changePassword, { body });
      await withFreshSignIn(() =>
        hasPassword
          ? withPassword(current, change).catch((error: unknown) => Promise.reject(besideCurrent(error)))
          : change(),
      );
      element.reset();
      setTyped('');
      toast(hasPassword ? 'Password changed' : 'Password set', {
        text: body.endOthers ? 'You are signed out everywhere else.' : 'A mail tells you about it.',
      });
      await revalidate();
    },
  });
  return (
    <Section
      title="Password"
      about={
        hasPassword
          ? 'You get a mail when it changes.'
          : 'You have none yet: set one to sign in with your email address.'
      }
    >
      <form {...form.props} className="flex flex-col gap-5" aria-label="Password">
        {/* Password managers want to know whose password it is. */}
        <input type="email" autoComplete="username" value={account.email} readOnly hidden />
        {hasPassword && (
          <PasswordField
            {...form.field('current')}
            label="Current password"
            autoComplete="current-password"
            maxLength={1_000}
            required
          />
        )}
        <PasswordField
          {...form.field('password')}
          label="New password"
          autoComplete="new-password"
          maxLength={1_000}
          hint={<PasswordRules password={typed} />}
          onChange={(event) => setTyped(event.target.value)}
          required
        />
        <label className="flex min-h-11 items-center gap-3 text-sm">
          <input type="checkbox" name="endOthers" value="yes" defaultChecked className="size-5 accent-primary" />
          Sign out everywhere else
        </label>
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
        <Button {...form.button} className="self-start">
          {form.button.busy ? 'Saving…' : hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </form>
    </Section>
  );
};
