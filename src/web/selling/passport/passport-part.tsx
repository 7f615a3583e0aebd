import { lazy, Suspense, useRef, useState } from 'react';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { isControl, typeInto } from '#web/shell/forms/type-into.ts';
import { SkeletonRows } from '#web/ui/states.tsx';
import { readSaid, textOfSaid } from './said.ts';

// Hardly anybody opens it: the table of defects comes with it.
const DescribeCopy = lazy(() => import('./describe-copy.tsx'));

interface Props {
  name: 'passport';
  error: string | undefined;
  defaultValue: string;
  photos: readonly { readonly id: string }[];
}

/** Types the condition that the grade gives into its field. */
const choose = (form: HTMLFormElement | null | undefined, condition: string | undefined): void => {
  const field = form?.elements.namedItem('condition');
  if (condition !== undefined && isControl(field) && field.value !== condition) typeInto(field, condition);
};

const isbnIn = (form: HTMLFormElement | null | undefined): string => {
  const field = form?.elements.namedItem('isbn13');
  return isControl(field) ? field.value : '';
};

/** A part of the form of a listing that is closed at first: what is said of the copy, kept as one text of the form. */
export const PassportPart = ({ name, error, defaultValue, photos }: Props) => {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(defaultValue);
  const [isOpen, setIsOpen] = useState(false);
  const [isbn, setIsbn] = useState('');
  const say = (said: PassportDraft): void => {
    if (field.current !== null) typeInto(field.current, textOfSaid(said));
  };
  return (
    <details
      className="rounded-box border border-base-300 p-4"
      open={isOpen || error !== undefined}
      onToggle={({ currentTarget: { open } }) => {
        setIsOpen(open);
        if (open) setIsbn(isbnIn(field.current?.form));
      }}
    >
      <summary className="cursor-pointer font-semibold">Describe this copy</summary>
      <p className="mt-1 mb-4 text-sm text-muted">
        Optional. Its grade is proposed by what you tick, and gives the condition;{' '}
        <a href="/grading" target="_blank" rel="noreferrer" className="text-link">
          how books are graded
        </a>
      </p>
      <input
        ref={field}
        type="text"
        hidden
        aria-hidden="true"
        tabIndex={-1}
        name={name}
        defaultValue={defaultValue}
        onChange={({ target }) => setText(target.value)}
      />
      {(isOpen || error !== undefined) && (
        <Suspense fallback={<SkeletonRows rows={4} label="Loading the description" />}>
          <DescribeCopy
            said={readSaid(text)}
            onSaid={say}
            onCondition={(condition) => choose(field.current?.form, condition)}
            isbn={isbn}
            photos={photos}
            error={error}
          />
        </Suspense>
      )}
    </details>
  );
};
