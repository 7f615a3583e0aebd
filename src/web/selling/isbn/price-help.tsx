import { useEffect, useRef, useState } from 'react';
import { CONDITIONS, type Condition } from '#contract/catalog/catalog.ts';
import { readEditionPrices } from '#contract/catalog/editions/edition-calls.ts';
import { normaliseIsbn } from '#contract/catalog/isbn.ts';
import { priceHelpOf } from '#contract/catalog/price-help.ts';
import { call } from '#web/api/call.ts';

interface Asked {
  readonly isbn: string;
  readonly condition: Condition;
}

const PAUSE_MS = 400;

/** What the form asks about: an ISBN and a condition; undefined until both are there. */
const askedBy = (form: HTMLFormElement): Asked | undefined => {
  const data = new FormData(form);
  const [isbn, condition] = ['isbn13', 'condition'].map((name) => String(data.get(name) ?? ''));
  const isbn13 = normaliseIsbn(isbn ?? '');
  const known = CONDITIONS.find((one) => one === condition);
  return isbn13 === undefined || known === undefined ? undefined : { isbn: isbn13, condition: known };
};

/**
 * Beside the price: what others ask for such a copy, and what they were sold for here. It proposes nothing; where
 * nothing is known it is not there.
 */
export const PriceHelp = () => {
  const place = useRef<HTMLParagraphElement>(null);
  const [words, setWords] = useState('');

  useEffect(() => {
    const form = place.current?.closest('form');
    if (form == null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = '';
    const look = async (): Promise<void> => {
      const asked = askedBy(form);
      const key = asked === undefined ? '' : `${asked.isbn} ${asked.condition}`;
      if (key === last) return;
      last = key;
      if (asked === undefined) return setWords('');
      const { isbn, condition } = asked;
      const said = await call(readEditionPrices, { params: { isbn }, query: { condition } }).then(
        priceHelpOf,
        () => '',
      );
      if (last === key) setWords(said === '' ? '' : `${condition} copies of this book: ${said}.`);
    };
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), PAUSE_MS);
    };
    soon();
    form.addEventListener('input', soon);
    form.addEventListener('change', soon);
    return () => {
      clearTimeout(timer);
      form.removeEventListener('input', soon);
      form.removeEventListener('change', soon);
    };
  }, []);

  return (
    <p ref={place} role="status" className="text-sm text-muted empty:hidden">
      {words}
    </p>
  );
};
