import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { formatDollars } from '#contract/money/money.ts';
import { readDemand } from '#contract/wants/wants.ts';
import { call } from '#web/api/call.ts';
import { useFormWords } from './use-form-words.ts';

interface Asked {
  readonly isbn13?: string;
  readonly title?: string;
}

/** A title of fewer letters is still being typed. */
const LEAST_LETTERS = 3;

/** The book in the form: its ISBN, or else its title. */
const askedBy = (form: HTMLFormElement): Asked | undefined => {
  const data = new FormData(form);
  const [isbn, typed] = ['isbn13', 'title'].map((name) => String(data.get(name) ?? '').trim());
  const isbn13 = normaliseIsbn(isbn ?? '');
  const title = typed === undefined || typed.length < LEAST_LETTERS ? undefined : typed;
  if (isbn13 === undefined && title === undefined) return undefined;
  return { ...(isbn13 !== undefined && { isbn13 }), ...(title !== undefined && { title }) };
};

const say = async (query: Asked): Promise<string> => {
  const { readers, most } = await call(readDemand, { query });
  if (readers === null) return '';
  return `${readers} readers want this${most === null ? '' : `, the most for ${formatDollars(most)}`}.`;
};

/** How many readers wait for the book in the form; nothing where they are few, so that nobody is exposed. */
export const Demand = () => {
  const { place, words } = useFormWords(askedBy, say);
  return (
    <p ref={place} role="status" className="text-sm font-semibold text-success empty:hidden">
      {words}
    </p>
  );
};
