import { useRevalidator } from 'react-router';
import type { Declaration } from '#contract/law/declaration.ts';
import { DeclarationForm } from '#web/shell/law/declaration-form.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';
import { Section } from './section.tsx';

/** As what a seller sells. */
export const DeclarationSection = ({ own }: { own: Declaration }) => {
  const { revalidate } = useRevalidator();
  return (
    <Section title="How you sell" about="Buyers are told whether they buy of a private person or of a business.">
      <DeclarationForm
        own={own}
        label="Save how you sell"
        onSaved={async () => {
          await revalidate();
          toast('How you sell is saved');
        }}
      />
    </Section>
  );
};
