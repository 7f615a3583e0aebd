import { useState } from 'react';
import { CONDITIONS } from '#contract/catalog/catalog.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { putWant, RULED_OUT, type Want, type WantDraft } from '#contract/wants/wants.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/shell/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/states.tsx';

/** What stands in the form at first. */
export type TypedWant = Partial<Record<'isbn' | 'title' | 'author' | 'max' | 'near', string>>;

const DISTANCES = [10, 25, 100] as const;

interface Props {
  /** The want that is changed; undefined for a new one. */
  want: Want | undefined;
  typed: TypedWant;
  onSaved: (want: Want) => Promise<void>;
  onClose: () => void;
}

/** Says which book a reader looks for, and which copies of it will do. */
export const WantForm = ({ want, typed, onSaved, onClose }: Props) => {
  // Made once: sent twice it is one want.
  const [id] = useState(() => want?.id ?? crypto.randomUUID());
  const form = useForm({
    names: [
      'isbn13',
      'title',
      'author',
      'max_price',
      'condition',
      'near',
      'km',
      ...RULED_OUT.map(([defect]) => defect),
    ] as const,
    draft: false,
    check: ({ isbn13, title }): FieldErrors =>
      isbn13.trim() === '' && title.trim() === '' ? { title: 'Say which book: its title, or its ISBN' } : {},
    send: async (values) => {
      const body: WantDraft = {
        isbn13: values.isbn13,
        title: values.title,
        author: values.author,
        ...(values.max_price.trim() !== '' && { max_price: values.max_price.trim().replace(/^\$\s*/, '') }),
        condition: CONDITIONS.find((one) => one === values.condition),
        near: values.near,
        km: DISTANCES.find((km) => String(km) === values.km) ?? 25,
        without: RULED_OUT.flatMap(([defect]) => (values[defect] === '' ? [] : [defect])),
      };
      await onSaved(await call(putWant, { params: { id }, body }));
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-4">
      <Field label="Title" defaultValue={want?.title ?? typed.title} maxLength={750} {...form.field('title')} />
      <Field
        label="Author"
        optional
        defaultValue={want?.author ?? typed.author}
        maxLength={500}
        {...form.field('author')}
      />
      <Field
        label="ISBN"
        optional
        inputMode="numeric"
        defaultValue={want?.isbn13 ?? typed.isbn}
        maxLength={40}
        hint="Only for this very edition; leave it empty for any."
        {...form.field('isbn13')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="At most"
          optional
          inputMode="decimal"
          defaultValue={want?.max_price == null ? typed.max : String(want.max_price)}
          maxLength={12}
          hint="In US dollars"
          {...form.field('max_price')}
        />
        <Select label="Condition" defaultValue={want?.condition ?? ''} {...form.field('condition')}>
          <option value="">Any</option>
          <option value="Good">Good or better</option>
          <option value="Excellent">Excellent only</option>
        </Select>
        <Field
          label="Near"
          optional
          defaultValue={want?.near ?? typed.near}
          maxLength={100}
          hint="A town, such as Portland, OR"
          {...form.field('near')}
        />
        <Select label="Within" defaultValue={String(want?.km ?? 25)} {...form.field('km')}>
          {DISTANCES.map((km) => (
            <option key={km} value={km}>
              {km} km
            </option>
          ))}
        </Select>
      </div>
      <details open={(want?.without.length ?? 0) > 0}>
        <summary className="min-h-11 cursor-pointer content-center font-semibold">No copy with …</summary>
        <p className="text-sm text-muted">
          Then only books whose seller has listed their defects are offered to you: what is not told is not known.
        </p>
        <div className="mt-1 grid sm:grid-cols-2">
          {RULED_OUT.map(([defect, name]) => (
            <CheckField
              key={defect}
              label={name}
              defaultChecked={want?.without.includes(defect) ?? false}
              {...form.field(defect)}
            />
          ))}
        </div>
      </details>
      {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button {...form.button}>{want === undefined ? 'Tell me' : 'Save'}</Button>
      </div>
    </form>
  );
};
