import { useRevalidator } from 'react-router';
import {
  MAX_ABOUT_LENGTH,
  MAX_PLACE_LENGTH,
  saveSellerPage,
  sellerPageProblems,
  type OwnSellerPage,
} from '#contract/sellers/sellers.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { Section } from './section.tsx';

/** What a seller says on their own page. */
export const SellerPageSection = ({ own }: { own: OwnSellerPage }) => {
  const { revalidate } = useRevalidator();
  const form = useForm({
    names: ['about', 'place', 'renew'],
    check: sellerPageProblems,
    send: async ({ about, place, renew }, element) => {
      await call(saveSellerPage, { body: { about, place, renew: renew === 'yes' } });
      toast('Your page is saved');
      await revalidate();
      const box = element.elements.namedItem('renew');
      if (box instanceof HTMLInputElement) box.checked = false;
    },
  });
  const path = `/seller/${own.slug}`;
  return (
    <Section
      title="Your seller page"
      about={
        <>
          What everybody reads of you:{' '}
          <a href={path} className="text-link break-all">
            {path}
          </a>
        </>
      }
    >
      <form {...form.props} className="flex flex-col gap-5" aria-label="Your seller page">
        <TextArea
          {...form.field('about')}
          label="About you"
          hint="Which books you have, where they come from. No links, addresses or phone numbers."
          rows={5}
          maxLength={MAX_ABOUT_LENGTH}
          defaultValue={own.about}
          optional
        />
        <Field
          {...form.field('place')}
          label="Town"
          hint="As Portland, Oregon. Not your street."
          maxLength={MAX_PLACE_LENGTH}
          defaultValue={own.place}
          optional
        />
        <CheckField
          {...form.field('renew')}
          label="Make the address of my page anew"
          hint="Out of your name as it is now. The old address leads nowhere then."
        />
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
        <Button {...form.button} look="secondary" className="sm:self-start">
          Save page
        </Button>
      </form>
    </Section>
  );
};
