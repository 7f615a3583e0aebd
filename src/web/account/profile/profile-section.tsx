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
import { toast } from '#web/ui/toast-store.ts';
import { Section } from './section.tsx';

const PLACEHOLDER = '/avatar.svg';
const PICTURE_MESSAGE = 'Give the https address of a picture, or leave it empty';

const problemsOf = ({ name, photoURL }: { name: string; photoURL: string }): FieldErrors => {
  const problems: FieldErrors = {};
  if (!isVisible(name)) problems['name'] = NAME_MESSAGE;
  if (photoURL.trim() !== '' && !isImageUrl(photoURL.trim())) problems['photoURL'] = PICTURE_MESSAGE;
  return problems;
};

/** The picture as it will be seen; the default one where there is none, or where it does not load. */
const Preview = ({ url }: { url: string }) => {
  const [broken, setBroken] = useState('');
  const wanted = isImageUrl(url.trim()) ? url.trim() : '';
  const shown = wanted === '' || wanted === broken ? PLACEHOLDER : wanted;
  return (
    <div className="flex items-center gap-4">
      <img
        src={shown}
        alt="You, as others see you"
        width={72}
        height={72}
        referrerPolicy="no-referrer"
        className="size-18 shrink-0 rounded-full border border-base-300 bg-base-100 object-cover"
        onError={() => setBroken(wanted)}
      />
      <p role="status" className="text-sm text-muted">
        {wanted !== '' && wanted === broken
          ? 'There is no picture at this address: the default one is shown.'
          : shown === PLACEHOLDER
            ? 'The default picture.'
            : 'Your picture.'}
      </p>
    </div>
  );
};

/** Name and picture, as others see them. */
export const ProfileSection = ({ account }: { account: Account }) => {
  const { revalidate } = useRevalidator();
  const [url, setUrl] = useState(account.photoURL);
  const form = useForm({
    names: ['name', 'photoURL'],
    check: problemsOf,
    send: async ({ name, photoURL }) => {
      await call(editAccount, { body: { name: name.trim(), photoURL: photoURL.trim() } });
      toast('Profile saved');
      await Promise.all([refreshSession().catch(() => undefined), revalidate()]);
    },
  });
  return (
    <Section title="Profile" about="As buyers and sellers see you.">
      <form {...form.props} className="flex flex-col gap-5" aria-label="Profile">
        <Preview url={url} />
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
          hint="The https address of a picture of you."
          onChange={(event) => setUrl(event.target.value)}
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
