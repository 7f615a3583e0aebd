import type { Form } from '#web/shell/forms/use-form.ts';
import { Field } from '#web/ui/field.tsx';

interface Props {
  field: Form<'authors' | 'published_year' | 'publisher'>['field'];
  onAuthors: (event: { target: { value: string } }) => void;
}

/** What helps people find the book and is not needed to sell it. */
export const BookFacts = ({ field, onAuthors }: Props) => (
  <fieldset className="flex flex-col gap-5 border-t border-base-300 pt-5">
    <legend className="float-left mb-1 w-full font-serif text-lg font-semibold">More about the book</legend>
    <p className="clear-both -mt-5 text-sm text-muted">
      All optional. The more of it you give, the easier the book is found.
    </p>
    <div className="grid gap-5 sm:grid-cols-2">
      <Field {...field('authors')} label="Authors" optional maxLength={500} autoComplete="off" onChange={onAuthors} />
      <Field {...field('published_year')} label="Year" optional inputMode="numeric" maxLength={5} autoComplete="off" />
      <Field {...field('publisher')} label="Publisher" optional maxLength={200} autoComplete="off" />
    </div>
  </fieldset>
);
