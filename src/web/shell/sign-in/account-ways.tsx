import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError } from '#web/api/api-error.ts';
import { isControl, typeInto } from '#web/shell/forms/type-into.ts';
import type { Form } from '#web/shell/forms/use-form.ts';
import { useSession } from '#web/shell/data/use-session.ts';
import { welcome } from '#web/shell/social/social-arrival.ts';
import { SocialButtons } from '#web/shell/social/social-buttons.tsx';
import type { WaysData } from '#web/shell/social/social-ways.ts';
import { failureSentence } from '#web/shell/social/social-words.ts';
import { useSocial } from '#web/shell/social/use-social.ts';
import { Button } from '#web/ui/button.tsx';
import { Or } from '#web/ui/or.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { RegistrationForm, useRegistration } from './registration-form.tsx';
import { SignInForm, useSignIn } from './sign-in-form.tsx';

const welcomeBack = (name: string): string => `Welcome back, ${name}.`;

/** At work until what comes after the sign-in takes the place of the form. */
const useGoingOn = <F extends Form<string>>(form: F): F => {
  const isIn = useSession().status === 'in';
  return { ...form, button: { ...form.button, busy: form.button.busy || isIn } };
};

const NewAccount = ({ onKnown }: { onKnown: () => void }) => {
  const form = useGoingOn(useRegistration());
  return (
    <RegistrationForm
      form={form}
      whenTaken={
        <Button look="secondary" onClick={onKnown}>
          Sign in instead
        </Button>
      }
    />
  );
};

const KnownAccount = () => <SignInForm form={useGoingOn(useSignIn(welcomeBack))} />;

/** The fields of the form in `place`. */
const fieldsIn = (place: HTMLElement | null) =>
  [...(place?.querySelectorAll('form') ?? [])].flatMap((form) => [...form.elements].filter(isControl));

interface Choice {
  isNew: boolean;
  onChoose: (isNew: boolean) => void;
}

const KINDS = [
  [true, 'I’m new here'],
  [false, 'I have an account'],
] as const;

const Kind = ({ isNew, onChoose }: Choice) => (
  <fieldset className="grid grid-cols-2 gap-1 rounded-field border border-base-content/30 p-1">
    <legend className="sr-only">Do you have an account?</legend>
    {KINDS.map(([isForNew, label]) => (
      <label
        key={label}
        className="relative flex min-h-11 cursor-pointer items-center justify-center rounded-field px-2 text-center text-sm font-semibold has-checked:bg-base-200 has-checked:inset-ring-2 has-checked:inset-ring-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
      >
        <input
          type="radio"
          name="account"
          className="absolute inset-0 cursor-pointer opacity-0"
          checked={isNew === isForNew}
          onChange={() => onChoose(isForNew)}
        />
        {label}
      </label>
    ))}
  </fieldset>
);

interface Props {
  /** The page that they stand on: a service that opens no window leads back to it. */
  from: string;
  ways: WaysData['ways'];
}

/**
 * Every way to be signed in, for a dialog: a new account or one that is there already. Whoever opened it goes on as
 * soon as the session says who it is; what was typed goes along from one form to the other.
 */
export const AccountWays = ({ from, ways }: Props) => {
  const [isNew, setNew] = useState(true);
  const forms = useRef<HTMLDivElement>(null);
  const typed = useRef(new Map<string, string>());
  const social = useSocial({
    page: 'login',
    from,
    onSuccess: async (provider, outcome) => {
      if (outcome !== 'linked' && (await welcome({ provider, outcome })) !== undefined) return;
      throw new ApiError({ status: 0, code: 'unreadable', message: failureSentence('login', provider, 'lost') });
    },
  });
  const choose = (next: boolean): void => {
    for (const { name, value } of fieldsIn(forms.current)) typed.current.set(name, value);
    flushSync(() => setNew(next));
    for (const field of fieldsIn(forms.current)) {
      const value = typed.current.get(field.name);
      if (value !== undefined && value !== '') typeInto(field, value);
    }
  };
  const signInInstead = (): void => {
    choose(false);
    fieldsIn(forms.current)
      .find(({ name }) => name === 'password')
      ?.focus();
  };
  return (
    <div className="flex flex-col gap-4">
      <SocialButtons what="sign-in" social={social} ways={ways} after={false} />
      <PasskeySignIn onSignedIn={({ displayName }) => toast('Sign In!', { text: welcomeBack(displayName) })} />
      <Or />
      <Kind isNew={isNew} onChoose={choose} />
      <div ref={forms}>{isNew ? <NewAccount onKnown={signInInstead} /> : <KnownAccount />}</div>
      <p className="text-center text-sm text-balance text-muted">
        By going on you accept our{' '}
        <a href="/#terms" target="_blank" className="text-link">
          Terms<span className="sr-only"> (in a new tab)</span>
        </a>{' '}
        and{' '}
        <a href="/#privacy" target="_blank" className="text-link">
          Privacy<span className="sr-only"> (in a new tab)</span>
        </a>{' '}
        notice.
      </p>
    </div>
  );
};
