import { useEffect, useEffectEvent, useRef, useState, type ChangeEvent } from 'react';
import { readEdition, type EditionFacts } from '#contract/catalog/editions/edition-calls.ts';
import { readIsbn } from '#contract/catalog/isbn.ts';
import { call } from '#web/api/call.ts';
import { ApiError, messageOf } from '#web/api/api-error.ts';
import { ScanButton } from '#web/selling/scanning/scan-button.tsx';
import { typeInto } from '#web/shell/forms/type-into.ts';
import { Field } from '#web/ui/field.tsx';
import { factsOf, fillIn, focusNext, namesOf, type Facts } from './fill.ts';

interface Props {
  name: 'isbn13';
  error: string | undefined;
  defaultValue: string;
  disabled?: boolean | undefined;
  /** An ISBN that somebody came with: put where none stands, and looked up. */
  brought?: string | undefined;
}

/** Ten digits may be the first of thirteen. */
const TYPING_MS = 400;
const WHOLE = 13;

const SOURCES: Readonly<Record<EditionFacts['source'], string>> = {
  shop: 'copies in this shop',
  table: 'this shop’s table of editions',
  'open-library': 'Open Library',
};

/** Whether the same number may be answered another time: it was the connection, the shop, or too many questions. */
const isPassing = (failure: unknown): boolean =>
  !(failure instanceof ApiError) || failure.status === 0 || failure.status === 429 || failure.status >= 500;

const dollars = (cents: number): string => (cents / 100).toFixed(2);

const saidOf = (filled: Facts, source: EditionFacts['source'] | undefined): string => {
  const { original_price: price, ...facts } = filled;
  const names = namesOf(facts);
  const book = names === '' || source === undefined ? '' : `Filled in from ${SOURCES[source]}: ${names}. `;
  const barcode = price === undefined ? '' : 'The original price is from the barcode. ';
  return book + barcode === ''
    ? 'The form says all that is known of this ISBN.'
    : `${book}${barcode}Change what is wrong.`;
};

/**
 * The first field of the form of a listing: the ISBN, scanned or typed, and what is known of it filled in where nothing
 * stands. A number that nobody knows, or a book without one, goes on by hand.
 */
export const IsbnField = ({ name, error, defaultValue, disabled, brought = '' }: Props) => {
  const frame = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const filled = useRef<Facts>({});
  const asked = useRef('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const input = (): HTMLInputElement | null => frame.current?.querySelector('input[name="isbn13"]') ?? null;

  const lookUp = async (isbn13: string, addOnCents: number | undefined): Promise<void> => {
    const wanted = `${isbn13} ${addOnCents ?? ''}`;
    if (asked.current === wanted) return;
    asked.current = wanted;
    setSaid('Looking it up…');
    const price: Facts = addOnCents === undefined ? {} : { original_price: dollars(addOnCents) };
    let mayAskAgain = false;
    const edition = await call(readEdition, { params: { isbn: isbn13 } }).catch((failure: unknown) => {
      mayAskAgain = isPassing(failure);
      return messageOf(failure);
    });
    const form = input()?.form;
    // Another number stands there by now.
    if (asked.current !== wanted || form == null) return;
    if (mayAskAgain) asked.current = '';
    if (typeof edition === 'string') {
      filled.current = fillIn(form, price, filled.current);
      setSaid(edition);
      return;
    }
    filled.current = fillIn(form, { ...factsOf(edition), ...price }, filled.current);
    setSaid(saidOf(filled.current, edition.source));
  };

  const read = (text: string, isWhole: boolean): Promise<void> | undefined => {
    const found = readIsbn(text);
    const isbn = found !== undefined && 'isbn13' in found ? found : undefined;
    setProblem(found !== undefined && 'problem' in found && isWhole ? found.problem : '');
    if (isbn !== undefined) return lookUp(isbn.isbn13, isbn.addOnCents);
    asked.current = '';
    setSaid('');
    return undefined;
  };

  const type = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    clearTimeout(timer.current);
    const { value } = target;
    const isWhole = value.replaceAll(/\D/g, '').length >= WHOLE;
    timer.current = setTimeout(() => void read(value, isWhole), TYPING_MS);
  };

  const scan = async (digits: string): Promise<void> => {
    const field = input();
    if (field === null) return;
    typeInto(field, digits);
    clearTimeout(timer.current);
    await read(digits, true);
    if (field.form !== null) focusNext(field.form);
  };

  const bring = useEffectEvent(() => {
    if (brought !== '' && input()?.value === '') void scan(brought);
  });
  useEffect(() => {
    const soon = setTimeout(bring);
    return () => clearTimeout(soon);
  }, []);

  return (
    <div ref={frame} className="flex flex-col gap-1.5">
      <div className="flex items-start gap-3 [&>:first-child]:grow">
        <Field
          name={name}
          error={error}
          warning={error === undefined ? problem : ''}
          defaultValue={defaultValue}
          label="Scan or type the ISBN"
          hint="10 or 13 digits, near the barcode. For a book without one, leave it empty."
          maxLength={40}
          autoComplete="off"
          onChange={type}
          onBlur={({ target }) => {
            clearTimeout(timer.current);
            if (target.value !== defaultValue || asked.current !== '') void read(target.value, true);
          }}
        />
        <ScanButton disabled={disabled} onBook={(digits) => void scan(digits)} />
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {said}
      </p>
    </div>
  );
};
