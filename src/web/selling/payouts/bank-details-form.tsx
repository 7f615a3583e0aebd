import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { countriesByName } from '#contract/delivery/countries.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { bankDetailsProblems, MAX_HOLDER_LENGTH, type BankDetailsDraft } from '#contract/money/bank-details.ts';
import { enterBankDetails } from '#contract/money/by-hand.ts';
import { call } from '#web/api/call.ts';
import { ownCountry } from '#web/selling/delivery/delivery-form.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { withFreshSignIn } from '#web/shell/reauthentication/reauthentication.ts';
import { PasswordField } from '#web/shell/sign-in/password-field.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const NAMES = ['kind', 'holder', 'country', 'routing', 'account', 'accountType', 'iban', 'password'] as const;
type Values = Record<(typeof NAMES)[number], string>;

const draftOf = ({ kind, holder, country, routing, account, accountType, iban }: Values): BankDetailsDraft =>
  kind === 'iban'
    ? { kind, holder, country, iban }
    : {
        kind: 'us',
        holder,
        country,
        routing,
        account,
        ...((accountType === 'checking' || accountType === 'savings') && { accountType }),
      };

const AmericanFields = ({ field }: { field: Fields }) => (
  <>
    <Field
      {...field('routing')}
      label="Routing number"
      hint="Nine digits, on the left at the bottom of a check."
      inputMode="numeric"
      autoComplete="off"
      maxLength={40}
      required
    />
    <Field
      {...field('account')}
      label="Account number"
      inputMode="numeric"
      autoComplete="off"
      maxLength={40}
      required
    />
    <Select {...field('accountType')} label="Type of account" defaultValue="" required>
      <option value="">Choose</option>
      <option value="checking">Checking</option>
      <option value="savings">Savings</option>
    </Select>
  </>
);

type Fields = ReturnType<typeof useForm<(typeof NAMES)[number]>>['field'];

interface Props {
  hasPassword: boolean;
  /** Where there are details already: goes back to them. */
  onClose: (() => void) | undefined;
}

/** Asks where a seller's money is to be sent. What is typed is kept nowhere but in the page. */
export const BankDetailsForm = ({ hasPassword, onClose }: Props) => {
  const { revalidate } = useRevalidator();
  const [country, setCountry] = useState(() => ownCountry(navigator.languages));
  const [kind, setKind] = useState<'us' | 'iban'>(country === 'US' ? 'us' : 'iban');
  const form = useForm({
    names: NAMES,
    draft: false,
    check: (values): FieldErrors => ({
      ...bankDetailsProblems(draftOf(values)),
      ...(hasPassword && values.password === '' && { password: 'Please enter your password' }),
    }),
    send: async (values, element) => {
      const body = { ...draftOf(values), ...(hasPassword && { password: values.password }) };
      const { pausedUntil } = await withFreshSignIn(() => call(enterBankDetails, { body }));
      element.reset();
      await revalidate();
      toast('Bank details saved', pausedUntil === null ? {} : { text: 'A mail tells you about it.' });
      onClose?.();
    },
  });
  return (
    <form {...form.props} className="flex w-full max-w-md flex-col gap-4" aria-label="Bank details">
      <Select
        {...form.field('country')}
        label="Country of your bank account"
        autoComplete="country"
        value={country}
        onChange={(event) => {
          setCountry(event.target.value);
          setKind(event.target.value === 'US' ? 'us' : 'iban');
        }}
      >
        {countriesByName().map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <fieldset className="flex flex-wrap gap-x-6">
        <legend className="text-sm font-semibold">Kind of account</legend>
        {(
          [
            ['us', 'US bank account'],
            ['iban', 'IBAN'],
          ] as const
        ).map(([value, label]) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="kind"
              value={value}
              checked={kind === value}
              onChange={() => setKind(value)}
              className="size-5 shrink-0 accent-primary"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <Field
        {...form.field('holder')}
        label="Name on the account"
        hint="As your bank has it. Payouts to another name may come back."
        autoComplete="name"
        maxLength={MAX_HOLDER_LENGTH}
        required
      />
      {kind === 'us' ? (
        <AmericanFields field={form.field} />
      ) : (
        <Field
          {...form.field('iban')}
          label="IBAN"
          hint="With or without spaces."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          required
        />
      )}
      {hasPassword && (
        <PasswordField
          {...form.field('password')}
          autoComplete="current-password"
          hint="Asked for again, so that nobody who finds your browser open can send your money elsewhere."
          required
        />
      )}
      <p className="text-sm text-muted">
        After a change payouts pause for some days, and we write to you: if it was not you, there is time to say so
        before any money leaves.
      </p>
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button {...form.button}>{form.button.busy ? 'Saving…' : 'Save bank details'}</Button>
        {onClose !== undefined && (
          <Button look="secondary" onClick={onClose}>
            Keep the old ones
          </Button>
        )}
      </div>
    </form>
  );
};
