import type { EditionFacts } from '#contract/catalog/editions/edition-calls.ts';
import { isControl, typeInto, type Control } from '#web/shell/forms/type-into.ts';

/** The fields of the form that an edition can fill, by their names. */
export type Facts = Partial<Record<Name, string>>;

type Name = 'title' | 'authors' | 'published_year' | 'publisher' | 'original_price';

/** What an edition says, in the form's words. */
export const factsOf = ({ title, authors, year, publisher }: EditionFacts): Facts => ({
  title,
  authors,
  published_year: year === null ? '' : String(year),
  publisher,
});

const LABELS: Readonly<Record<Name, string>> = {
  title: 'title',
  authors: 'authors',
  published_year: 'year',
  publisher: 'publisher',
  original_price: 'original price',
};
const NAMES = Object.keys(LABELS) as Name[];

/**
 * What of `facts` goes into the form: into what is empty, or holds what was filled in before (`filled`) and by nobody
 * else. What an earlier book filled in and this one does not say is emptied again. Nothing goes into what is `shut`.
 */
export const changesOf = (
  facts: Facts,
  now: Readonly<Record<string, string>>,
  filled: Facts,
  shut: readonly Name[] = [],
): Facts => {
  const changes: Facts = {};
  for (const name of NAMES) {
    if (shut.includes(name)) continue;
    const [value = '', current = '', before] = [facts[name], now[name], filled[name]];
    const isOurs = before !== undefined && before !== '' && current === before;
    if (current === value || (current.trim() !== '' && !isOurs)) continue;
    changes[name] = value;
  }
  return changes;
};

/** All that is filled in by us once `changes` are made. */
export const filledOf = (
  facts: Facts,
  now: Readonly<Record<string, string>>,
  filled: Facts,
  changes: Facts,
  shut: readonly Name[] = [],
): Facts => {
  const ours = NAMES.filter(
    (name) => facts[name] && !shut.includes(name) && (changes[name] !== undefined || filled[name] === now[name]),
  );
  return Object.fromEntries(ours.map((name) => [name, changes[name] ?? now[name]]));
};

const controlOf = (form: HTMLFormElement, name: string): Control | undefined => {
  const found = form.elements.namedItem(name);
  return isControl(found) ? found : undefined;
};

/** The box that says that nobody knows the original price, where it was ticked for the book before. */
const keptBoxOf = (form: HTMLFormElement): HTMLInputElement | undefined => {
  const box = form.elements.namedItem('original_known');
  return box instanceof HTMLInputElement && box.defaultChecked ? box : undefined;
};

/**
 * Fills the form in as a person would; answers all that is filled in by us now. A price that is known goes before what
 * was said of the book before.
 */
export const fillIn = (form: HTMLFormElement, facts: Facts, filled: Facts): Facts => {
  const box = keptBoxOf(form);
  if (box?.checked === true && facts.original_price) box.click();
  const isShut = (name: Name): boolean =>
    // The field opens a moment after its box was unticked.
    name === 'original_price' && box !== undefined ? box.checked : controlOf(form, name)?.disabled !== false;
  const shut = NAMES.filter(isShut);
  const now = Object.fromEntries(NAMES.map((name) => [name, controlOf(form, name)?.value ?? '']));
  const changes = changesOf(facts, now, filled, shut);
  for (const [name, value] of Object.entries(changes)) {
    const control = controlOf(form, name);
    if (control !== undefined) typeInto(control, value);
  }
  // It is another book than the one whose price was known.
  if (changes.original_price === '' && box?.checked === false) box.click();
  return filledOf(facts, now, filled, changes, shut);
};

/** `title, authors and year`. */
export const namesOf = (filled: Facts): string => {
  const names = NAMES.filter((name) => filled[name]).map((name) => LABELS[name]);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
};

/** What takes photos on the form; they stand where the address of a picture would be needed. */
const photoButton = (form: HTMLFormElement): HTMLButtonElement | undefined =>
  [...form.querySelectorAll<HTMLButtonElement>('section[aria-label="Photos"] button')].find(
    (button) => !button.disabled && button.checkVisibility(),
  );

/** Moves the hand on to the first field that has to be filled in and is empty; for a picture, to what takes photos. */
export const focusNext = (form: HTMLFormElement): void => {
  const fields = [...form.elements].filter(isControl);
  const next = fields.find((field) => field.required && !field.disabled && field.value === '');
  const place = next?.name === 'image_url' ? (photoButton(form) ?? next) : next;
  place?.focus();
};
