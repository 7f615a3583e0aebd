import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { COUNTRIES, countryName } from '#contract/delivery/countries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { countriesIn } from './delivery-form.ts';

/** More matches than this are narrowed by typing on. */
const MOST_MATCHES = 6;
/** More chosen ones than this are counted and not named. */
const MOST_CHIPS = 24;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Countries whose name has a word that begins so, those that begin so themselves first. */
const matching = (search: string, chosen: readonly string[]): string[] => {
  const wanted = plain(search.trim());
  if (wanted === '') return [];
  const rank = (code: string): number => {
    const name = plain(countryName(code));
    if (name.startsWith(wanted) || code.toLowerCase() === wanted) return 0;
    return ` ${name}`.includes(` ${wanted}`) ? 1 : 2;
  };
  return COUNTRIES.filter((code) => rank(code) < 2 && !chosen.includes(code)).toSorted(
    (a, b) => rank(a) - rank(b) || (countryName(a) < countryName(b) ? -1 : 1),
  );
};

interface Props {
  name: string;
  before: string;
  error: string | undefined;
}

/**
 * Several countries, found by their names. They are the value of an input that nobody sees, so that the form keeps them
 * like anything that is typed.
 */
export const CountryPicker = ({ name, before, error }: Props) => {
  const [value, setValue] = useState(before);
  const [search, setSearch] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLFieldSetElement>(null);
  const legendId = useId();
  const chosen = countriesIn(value);
  const matches = matching(search, chosen);
  const shown = matches.slice(0, MOST_MATCHES);

  const choose = (codes: readonly string[]): void => {
    const element = input.current;
    if (element === null) return;
    // As if it was typed: the form hears of it, and keeps it.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, codes.join(','));
    element.dispatchEvent(new Event('input', { bubbles: true }));
    box.current?.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
  };
  const add = (code: string): void => {
    choose([...chosen, code]);
    setSearch('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const [first] = shown;
    if (first !== undefined) add(first);
  };

  return (
    <fieldset ref={box} aria-labelledby={legendId} className="flex flex-col gap-3">
      <p id={legendId} className="text-sm font-semibold">
        Countries you post to
      </p>
      <input ref={input} name={name} value={value} onChange={(event) => setValue(event.target.value)} hidden />
      {chosen.length > MOST_CHIPS ? (
        <p className="text-sm">{chosen.length === COUNTRIES.length ? 'Every country' : `${chosen.length} countries`}</p>
      ) : (
        <ul className="flex flex-wrap gap-2 empty:hidden" aria-label="Chosen countries">
          {chosen.map((code) => (
            <li key={code}>
              <button
                type="button"
                className="btn btn-soft btn-sm min-h-9 max-w-full font-normal"
                onClick={() => choose(chosen.filter((other) => other !== code))}
              >
                <span className="sr-only">Remove </span>
                {countryName(code)}
                <CloseIcon className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label="Find a country"
        type="search"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        hint="Type a part of its name and choose it below"
        error={error}
      />
      <p role="status" className="text-sm text-muted empty:hidden">
        {search.trim() !== '' && matches.length === 0 && 'No other country has such a name.'}
        {matches.length > MOST_MATCHES && `${matches.length} countries fit: type on to see the others.`}
      </p>
      {shown.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="Countries found">
          {shown.map((code) => (
            <li key={code}>
              <Button look="secondary" size="sm" onClick={() => add(code)}>
                <span className="sr-only">Add </span>
                {countryName(code)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {chosen.length < COUNTRIES.length && (
          <Button look="quiet" size="sm" onClick={() => choose(COUNTRIES)}>
            Post to every country
          </Button>
        )}
        {chosen.length > 1 && (
          <Button look="quiet" size="sm" onClick={() => choose([])}>
            Remove all
          </Button>
        )}
      </div>
    </fieldset>
  );
};
