// What a passport says, statement by statement: what a buyer is shown of a promise, and may say is untrue.
import { languageName } from './languages.ts';
import { defectInWords, JACKET_WORDS, PRINTING_WORDS, SIGNED_WORDS } from './passport-words.ts';
import type { Passport } from './passport.ts';

export type PassportStatement =
  | 'grade'
  | 'defects'
  | 'jacket'
  | 'jacket-grade'
  | 'binding'
  | 'language'
  | 'pages'
  | 'edition'
  | 'signature'
  | 'book-club';

export interface Stated<Name extends string = PassportStatement> {
  readonly name: Name;
  readonly label: string;
  readonly words: string;
}

type Said = Omit<Passport, 'defects'> & {
  readonly defects: readonly Pick<Passport['defects'][number], 'defect' | 'degree' | 'note'>[];
};

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const defectsOf = ({ defects, noDefects }: Said): string => {
  if (defects.length === 0) return noDefects ? 'None' : '';
  return defects
    .map(({ defect, degree, note }) => defectInWords({ defect, degree }) + (note === '' ? '' : `: ${note}`))
    .join('; ');
};

/** Every statement that is made, in words; nothing of what is not known. */
export const passportStatements = (passport: Said): Stated[] => {
  const { grade, jacket, jacketGrade, binding, language, pages, edition, printing, signed, bookClub } = passport;
  const printed = [printing === null ? '' : PRINTING_WORDS[printing], edition].filter((text) => text !== '');
  const all: Stated[] = [
    { name: 'grade', label: 'Grade', words: grade ?? '' },
    { name: 'defects', label: 'Defects', words: capital(defectsOf(passport)) },
    { name: 'jacket', label: 'Jacket', words: jacket === null ? '' : JACKET_WORDS[jacket] },
    { name: 'jacket-grade', label: 'Grade of the jacket', words: jacketGrade ?? '' },
    { name: 'binding', label: 'Binding', words: capital(binding ?? '') },
    { name: 'language', label: 'Language', words: language === '' ? '' : languageName(language) },
    { name: 'pages', label: 'Pages', words: pages === null ? '' : String(pages) },
    { name: 'edition', label: 'Edition', words: printed.join(' · ') },
    { name: 'signature', label: 'Signature', words: signed === null ? '' : SIGNED_WORDS[signed] },
    {
      name: 'book-club',
      label: 'Book club',
      words: bookClub === null ? '' : bookClub ? 'Book club edition' : 'No book club edition',
    },
  ];
  return all.filter(({ words }) => words !== '');
};

/** A statement that two passports make otherwise; null where one does not make it. */
export interface StatedOtherwise {
  readonly name: PassportStatement;
  readonly label: string;
  readonly then: string | null;
  readonly now: string | null;
}

/** What is known of the edition is filled in by the shop, and no statement of the seller's. */
const saysItself = (passport: Said | null, name: PassportStatement): boolean =>
  passport !== null && !passport.fromEdition.some((filled) => filled === name);

/** In what two passports of a copy differ by what its seller says; null is one that says nothing. */
export const statedOtherwise = (then: Said | null, now: Said | null): StatedOtherwise[] => {
  const said = (passport: Said | null) =>
    new Map((passport === null ? [] : passportStatements(passport)).map((one) => [one.name, one]));
  const [before, after] = [said(then), said(now)];
  return [...new Map([...before, ...after]).values()].flatMap(({ name, label }) => {
    const [one, other] = [before.get(name)?.words ?? null, after.get(name)?.words ?? null];
    const isSaid = (one !== null && saysItself(then, name)) || (other !== null && saysItself(now, name));
    // oxlint-disable-next-line unicorn/no-thenable -- data, never a function
    return one !== other && isSaid ? [{ name, label, then: one, now: other }] : [];
  });
};
