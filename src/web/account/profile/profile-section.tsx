import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { editAccount, type Account } from '#contract/users/account.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { NAME_MESSAGE } from '#contract/users/identity-rules.ts';
import { isImageUrl, MAX_IMAGE_URL_LENGTH } from '#contract/catalog/listing-rules.ts';
import { isVisible } from '#contract/text.ts';
import { call } from '#web/api/call.ts';
import { refreshSession } from '#web/api/session.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { Section } from './section.tsx';

const PLACEHOLDER = '/avatar.svg';
const PICTURE_MESSAGE = 'Give the https address of a picture, or leave it empty';

/** What is wrong with a typed address; the one that is shown already is the shop's own. */
const pictureProblem = (typed: string, shown: string): FieldErrors =>
  typed === '' || typed === shown || isImageUrl(typed) ? {} : { photoURL: PICTURE_MESSAGE };

/** The picture as others see it: the default one where there is none yet, or where it does not load. */
const Portrait = ({ url, typed }: { url: string; typed: string }) => {
  const [broken, setBroken] = useState('');
  const hasOwn = url !== '' && url !== broken;
  const another = typed === '' || typed === url ? '' : ' The shop fetches another from the address below, once.';
  return (
    <div className="flex items-center gap-4">
      <img
        src={hasOwn ? url : PLACEHOLDER}
        alt="You, as others see you"
        width={72}
        height={72}
        className="size-18 shrink-0 rounded-full border border-base-300 bg-base-100 object-cover"
        onError={() => setBroken(url)}
      />
      <p role="status" className="text-sm text-muted">
        {hasOwn ? 'Your picture.' : 'The default picture.'}
        {another}
      </p>
    </div>
  );
};

/** Name and picture, as others see them. */
export const ProfileSection = ({ account }: { account: Account }) => {
  const { revalidate } = useRevalidator();
  const [typed, setTyped] = useState(account.photoURL);
  const form = useForm({
    names: ['name', 'photoURL'],
    check: ({ name, photoURL }) => ({
      ...(!isVisible(name) && { name: NAME_MESSAGE }),
      ...pictureProblem(photoURL.trim(), account.photoURL),
    }),
    send: async ({ name, photoURL }) => {
      const picture = photoURL.trim();
      // One that is still to be fetched is not shown, and stays unless another is typed.
      const edit = { name: name.trim(), ...(picture !== account.photoURL && { photoURL: picture }) };
      await call(editAccount, { body: edit });
      toast('Profile saved');
      await Promise.all([refreshSession().catch(() => undefined), revalidate()]);
    },
  });
  return (
    <Section title="Profile" about="As buyers and sellers see you.">
      <form {...form.props} className="flex flex-col gap-5" aria-label="Profile">
        <Portrait url={account.photoURL} typed={typed.trim()} />
        <Field
          {...form.field('name')}
          label="Name"
          autoComplete="name"
          maxLength={200}
          defaultValue={account.name}
          required
        />
        <Field label="Email" type="email" value={account.email} disabled />
        <Field
          {...form.field('photoURL')}
          label="Picture"
          type="url"
          inputMode="url"
          autoComplete="photo"
          maxLength={MAX_IMAGE_URL_LENGTH}
          defaultValue={account.photoURL}
          hint="The https address of a picture of you: the shop fetches it once and keeps it."
          onChange={(event) => setTyped(event.target.value)}
          optional
        />
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
        <Button {...form.button} className="self-start">
          {form.button.busy ? 'Saving…' : 'Save profile'}
        </Button>
      </form>
    </Section>
  );
};
