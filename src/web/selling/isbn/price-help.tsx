import { CONDITIONS, type Condition } from '#contract/catalog/catalog.ts';
import { readEditionPrices } from '#contract/catalog/editions/edition-calls.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { priceHelpOf } from '#contract/catalog/price-help.ts';
import { call } from '#web/api/call.ts';
import { useFormWords } from './use-form-words.ts';

interface Asked {
  readonly isbn: string;
  readonly condition: Condition;
}

/** What the form asks about: an ISBN and a condition; undefined until both are there. */
const askedBy = (form: HTMLFormElement): Asked | undefined => {
  const data = new FormData(form);
  const [isbn, condition] = ['isbn13', 'condition'].map((name) => String(data.get(name) ?? ''));
  const isbn13 = normaliseIsbn(isbn ?? '');
  const known = CONDITIONS.find((one) => one === condition);
  return isbn13 === undefined || known === undefined ? undefined : { isbn: isbn13, condition: known };
};

const say = async ({ isbn, condition }: Asked): Promise<string> => {
  const said = priceHelpOf(await call(readEditionPrices, { params: { isbn }, query: { condition } }));
  return said === '' ? '' : `${condition} copies of this book: ${said}.`;
};

/**
 * Beside the price: what others ask for such a copy, and what they were sold for here. It proposes nothing; where
 * nothing is known it is not there.
 */
export const PriceHelp = () => {
  const { place, words } = useFormWords(askedBy, say);
  return (
    <p ref={place} role="status" className="text-sm text-muted empty:hidden">
      {words}
    </p>
  );
};
