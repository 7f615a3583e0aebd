import { addCategory } from '#contract/catalog/catalog.ts';
import { categoryProblems } from '#contract/catalog/listing-rules.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

const trimmed = (values: { category_id: string; category_name: string }) => ({
  category_id: values.category_id.trim(),
  category_name: values.category_name.trim(),
});

/** Adds a category to the shop; one whose id or name exists is refused beside its field. */
export const CategoryForm = ({ onAdded }: { onAdded: (id: string) => void }) => {
  const form = useForm({
    names: ['category_id', 'category_name'],
    check: (values) => categoryProblems(trimmed(values)),
    send: async (values, element) => {
      const body = trimmed(values);
      await call(addCategory, { body });
      toast('Category created successfully!', { text: `${body.category_name} can be chosen for books now.` });
      element.reset();
      onAdded(body.category_id);
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5" aria-label="Add a category">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          {...form.field('category_id')}
          label="Category ID"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          hint="Letters, digits, - and _, such as travel-guides"
          required
        />
        <Field
          {...form.field('category_name')}
          label="Category name"
          autoComplete="off"
          maxLength={100}
          hint="As readers will see it, such as Travel Guides"
          required
        />
      </div>
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <Button {...form.button} look="secondary" className="self-start">
        {form.button.busy ? 'Adding the category…' : 'Add category'}
      </Button>
    </form>
  );
};
