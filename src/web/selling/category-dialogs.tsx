import type { ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { deleteCategory, mergeCategory, renameCategory, type CategoryUse } from '#contract/catalog/category-admin.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { categoryNameProblems } from '#contract/catalog/listing-rules.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { Notice } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast/toast-store.ts';

/** What an admin is about to do to a category. */
export interface CategoryChange {
  readonly kind: 'rename' | 'merge' | 'delete';
  readonly category: CategoryUse;
}

interface FormProps {
  category: CategoryUse;
  categories: readonly CategoryUse[];
  /** Called when it is done; the lists are then read again. */
  onDone: () => void;
  onClose: () => void;
}

const Foot = ({
  failure,
  onClose,
  children,
}: {
  failure: string | undefined;
  onClose: () => void;
  children: ReactNode;
}) => (
  <>
    {failure !== undefined && <Notice tone="error">{failure}</Notice>}
    <div className="flex flex-wrap justify-end gap-3">
      <Button look="secondary" onClick={onClose}>
        Cancel
      </Button>
      {children}
    </div>
  </>
);

const RenameForm = ({ category, onDone, onClose }: FormProps) => {
  const form = useForm({
    names: ['category_name'],
    draft: false,
    check: categoryNameProblems,
    send: async ({ category_name }) => {
      await call(renameCategory, { params: { id: category.category_id }, body: { category_name } });
      toast('Category renamed', { text: `${category.category_name} is now ${category_name.trim()}.` });
      onDone();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <Field
        {...form.field('category_name')}
        label="New name"
        defaultValue={category.category_name}
        maxLength={100}
        autoComplete="off"
        required
      />
      <Foot failure={form.failure} onClose={onClose}>
        <Button {...form.button}>Rename</Button>
      </Foot>
    </form>
  );
};

const MergeForm = ({ category, categories, onDone, onClose }: FormProps) => {
  const others = categories.filter(({ category_id }) => category_id !== category.category_id);
  const form = useForm({
    names: ['into'],
    draft: false,
    check: ({ into }): FieldErrors => (into === '' ? { into: 'Choose a category' } : {}),
    send: async ({ into }) => {
      await call(mergeCategory, { params: { id: category.category_id }, body: { into } });
      const target = others.find(({ category_id }) => category_id === into)?.category_name ?? into;
      toast('Categories merged', { text: `All books of ${category.category_name} are in ${target} now.` });
      onDone();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <p className="text-muted">
        All books of {category.category_name} move, and {category.category_name} is deleted. This cannot be undone.
      </p>
      <Select {...form.field('into')} label="Into" defaultValue="" required>
        <option value="" disabled>
          Choose a category
        </option>
        {others.map(({ category_id, category_name }) => (
          <option key={category_id} value={category_id}>
            {category_name}
          </option>
        ))}
      </Select>
      <Foot failure={form.failure} onClose={onClose}>
        <Button {...form.button} look="danger">
          Merge
        </Button>
      </Foot>
    </form>
  );
};

const DeleteForm = ({ category, onDone, onClose }: FormProps) => {
  const form = useForm({
    names: [],
    check: () => ({}),
    send: async () => {
      await call(deleteCategory, { params: { id: category.category_id } });
      toast('Category deleted', { text: `${category.category_name} had no books.` });
      onDone();
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <p className="text-muted">{category.category_name} has no books. Deleting it cannot be undone.</p>
      <Foot failure={form.failure} onClose={onClose}>
        <Button {...form.button} look="danger">
          Delete
        </Button>
      </Foot>
    </form>
  );
};

const DIALOGS = {
  rename: { title: 'Rename the category', Form: RenameForm },
  merge: { title: 'Merge into another category', Form: MergeForm },
  delete: { title: 'Delete the category?', Form: DeleteForm },
} as const;

interface Props {
  /** Open while there is one. */
  change: CategoryChange | undefined;
  categories: readonly CategoryUse[];
  onClose: () => void;
}

/** Asks for what a change of a category needs, and makes it. */
export const CategoryDialog = ({ change, categories, onClose }: Props) => {
  const { revalidate } = useRevalidator();
  const { title, Form } = DIALOGS[change?.kind ?? 'rename'];
  const done = (): void => {
    onClose();
    void revalidate();
  };
  return (
    <Modal open={change !== undefined} title={title} onClose={onClose}>
      {change !== undefined && (
        <Form category={change.category} categories={categories} onDone={done} onClose={onClose} />
      )}
    </Modal>
  );
};
