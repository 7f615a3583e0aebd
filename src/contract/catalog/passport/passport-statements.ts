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
