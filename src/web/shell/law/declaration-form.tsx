import { useState } from 'react';
import { countriesByName } from '#contract/delivery/countries.ts';
import {
  declarationProblems,
  declare,
  MAX_BUSINESS_ADDRESS_LENGTH,
  MAX_BUSINESS_LENGTH,
  MAX_BUSINESS_PHONE_LENGTH,
  MAX_REGISTER_LENGTH,
  MAX_TAX_NUMBER_LENGTH,
  type Declaration,
  type DeclarationInput,
} from '#contract/law/declaration.ts';
import { call } from '#web/api/call.ts';
import { useForm, type Form } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, Select, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';

const NAMES = ['kind', 'business', 'address', 'country', 'email', 'phone', 'register', 'taxNumber', 'adult'] as const;
type Name = (typeof NAMES)[number];

const KINDS = [
  ['private', 'Privately', 'Books of your own, now and then. Buyers have no right of withdrawal.'],
  ['trader', 'As a business', 'You buy books to sell them, or do it for a living. The law has you show who you are.'],
] as const;

const inputOf = (values: Record<Name, string>, terms: string): DeclarationInput => {
  const { kind, adult, ...imprint } = values;
  return {
    kind: kind === 'trader' ? 'trader' : 'private',
    ...(kind === 'trader' && imprint),
    adult: adult === 'yes',
    terms,
  };
};

/** What the law has a business show; everybody reads it. */
const ImprintFields = ({ own, form }: { own: Declaration; form: Form<Name> }) => (
  <div className="flex flex-col gap-5 border-s-2 border-base-300 ps-4">
    <p className="text-sm text-muted">Everybody reads this on your page, beside your books and before they pay.</p>
    <Field
      {...form.field('business')}
      label="Name of the business"
      autoComplete="organization"
      maxLength={MAX_BUSINESS_LENGTH}
      defaultValue={own.business}
      required
    />
    <TextArea
      {...form.field('address')}
      label="Address"
      hint="Street, town and postcode. Books that buyers send back come here."
      rows={3}
      maxLength={MAX_BUSINESS_ADDRESS_LENGTH}
      defaultValue={own.address}
      required
    />
    <Select {...form.field('country')} label="Country" autoComplete="country" defaultValue={own.country} required>
      <option value="">Choose a country</option>
      {countriesByName().map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
    <Field
      {...form.field('email')}
      type="email"
      label="Email address of the business"
      autoComplete="email"
      maxLength={254}
      defaultValue={own.email}
      required
    />
    <Field
      {...form.field('phone')}
      type="tel"
      label="Phone"
      maxLength={MAX_BUSINESS_PHONE_LENGTH}
      defaultValue={own.phone}
      optional
    />
    <Field
      {...form.field('register')}
      label="Register and number"
      hint="As Companies House 01234567, where the business is in one."
      maxLength={MAX_REGISTER_LENGTH}
      defaultValue={own.register}
      optional
    />
    <Field
      {...form.field('taxNumber')}
      label="VAT number"
      maxLength={MAX_TAX_NUMBER_LENGTH}
      defaultValue={own.taxNumber}
      optional
    />
  </div>
);

interface Props {
  own: Declaration;
  /** On the button. */
  label: string;
  onSaved: () => Promise<void> | void;
}

/** Asks whether somebody sells privately or as a business, and has them accept the terms. */
export const DeclarationForm = ({ own, label, onSaved }: Props) => {
  const [kind, setKind] = useState(own.kind);
  const form = useForm({
    names: NAMES,
    check: (values) => declarationProblems({ ...inputOf(values, own.terms), kind: values.kind }),
    send: async (values) => {
      await call(declare, { body: inputOf(values, own.terms) });
      await onSaved();
    },
  });
  const wrong = form.field('kind').error;
  return (
    <form {...form.props} className="flex max-w-xl flex-col gap-5" aria-label="How you sell">
      <fieldset
        role="radiogroup"
        tabIndex={-1}
        className="flex min-w-0 flex-col gap-2"
        aria-invalid={wrong ? true : undefined}
      >
        <legend className="mb-1 font-semibold">How do you sell?</legend>
        {KINDS.map(([value, name, hint]) => (
          <label key={value} className="flex cursor-pointer gap-3 rounded-box border border-base-300 p-3">
            <input
              type="radio"
              name="kind"
              aria-label={name}
              value={value}
              checked={kind === value}
              onChange={() => setKind(value)}
              className="mt-0.5 size-5 shrink-0 accent-primary"
            />
            <span>
              <span className="font-semibold">{name}</span>
              <span className="block text-sm text-muted">{hint}</span>
            </span>
          </label>
        ))}
        {wrong && (
          <p className="text-sm text-error" data-field-error>
            {wrong}
          </p>
        )}
      </fieldset>
      {kind === 'trader' && <ImprintFields own={own} form={form} />}
      <CheckField
        {...form.field('adult')}
        label="I am 18 or older and accept the terms"
        defaultChecked={own.accepted}
        hint={
          <>
            <a href="/#terms" target="_blank" className="text-link">
              The terms
            </a>
            , version {own.terms}
          </>
        }
      />
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} className="sm:self-start">
        {label}
      </Button>
    </form>
  );
};
