import { expect, test } from 'vitest';
import { passportStatements, statedOtherwise } from './passport-statements.ts';
import type { Passport } from './passport.ts';

const said = (more: Partial<Passport>): Passport => ({
  rules: 1,
  grade: null,
  jacketGrade: null,
  binding: null,
  language: '',
  pages: null,
  edition: '',
  printing: null,
  signed: null,
  jacket: null,
  bookClub: null,
  exLibrary: null,
  remainder: null,
  annotated: null,
  noDefects: false,
  noJacketDefects: false,
  defects: [],
  fromEdition: [],
  ...more,
});

test('states what is known and nothing else', () => {
  expect(passportStatements(said({}))).toEqual([]);
  const defects = [{ defect: 'writing', degree: 'heavy', note: 'in ink', photo: null } as const];
  expect(passportStatements(said({ grade: 'Fair', defects, bookClub: false })).map(({ words }) => words)).toEqual([
    'Fair',
    'Writing, notes (heavy): in ink',
    'No book club edition',
  ]);
});

test('differs where a statement is made otherwise, or is made once alone', () => {
  const differing = statedOtherwise(said({ signed: 'signed', pages: 300 }), said({ signed: 'no', jacket: 'with' }));
  expect(differing.map(({ name, then, now }) => [name, then, now])).toEqual([
    ['pages', '300', null],
    ['signature', 'Signed', 'Not signed'],
    ['jacket', null, 'With its jacket'],
  ]);
  expect(statedOtherwise(null, said({ binding: 'hardcover' }))).toHaveLength(1);
});

test('what the shop fills in from the edition is no statement, but what a seller said and now is filled in is', () => {
  const filled = said({ binding: 'paperback', pages: 604, fromEdition: ['binding', 'pages'] });
  expect(statedOtherwise(null, filled)).toEqual([]);
  expect(statedOtherwise(said({ binding: 'paperback' }), filled)).toEqual([]);
  expect(statedOtherwise(said({ binding: 'hardcover' }), filled)).toHaveLength(1);
});

test('what is no statement makes no difference', () => {
  expect(statedOtherwise(said({ rules: 1 }), said({ rules: 2, noJacketDefects: true }))).toEqual([]);
});
