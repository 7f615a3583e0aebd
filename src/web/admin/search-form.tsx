import { useEffect, useRef } from 'react';
import { Form, useSearchParams } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { MAX_SEARCH_LENGTH } from '#web/admin/users/users-search.ts';

/** Looks for users; what it looks for stands in the address, so that it can be kept and shared. */
export const SearchForm = ({ q, busy }: { q: string; busy: boolean }) => {
  const input = useRef<HTMLInputElement>(null);
  const [search] = useSearchParams();
  // How the list is shown is kept whatever is looked for.
  const shown = [...search].filter(([name]) => name !== 'q');
  useEffect(() => {
    // Back, forward and "Show everybody" change the address; the field follows and keeps the focus.
    if (input.current !== null) input.current.value = q;
  }, [q]);
  return (
    <Form role="search" replace className="mb-6 flex max-w-xl items-end gap-2">
      <Field
        ref={input}
        type="search"
        name="q"
        label="Name or email"
        defaultValue={q}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        className="min-w-0 flex-1"
      />
      {shown.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" look="secondary" busy={busy}>
        Search
      </Button>
    </Form>
  );
};
