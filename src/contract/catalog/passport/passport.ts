// What is said of a copy, as it is sent and told. The tables it speaks of are in modules of their own: this one is part
// of what every page loads.
import { Type, type Static } from 'typebox';
import { Id } from '#contract/scalars.ts';

/** The longest note on a defect. */
export const MAX_NOTE_LENGTH = 200;

const GradeWord = Type.Union([
  Type.Literal('As New'),
  Type.Literal('Fine'),
  Type.Literal('Near Fine'),
  Type.Literal('Very Good'),
  Type.Literal('Good'),
  Type.Literal('Fair'),
  Type.Literal('Poor'),
]);

const DegreeWord = Type.Union([Type.Literal('slight'), Type.Literal('clear'), Type.Literal('heavy')]);
export type Degree = Static<typeof DegreeWord>;

const DefectName = Type.Union([
  Type.Literal('edge-wear'),
  Type.Literal('corners'),
  Type.Literal('leaning'),
  Type.Literal('spine-creased'),
  Type.Literal('spine-cracked'),
  Type.Literal('cover-torn'),
  Type.Literal('binding-loose'),
  Type.Literal('pages-loose'),
  Type.Literal('pages-missing'),
  Type.Literal('page-torn'),
  Type.Literal('corner-folded'),
  Type.Literal('writing'),
  Type.Literal('highlighting'),
  Type.Literal('stain'),
  Type.Literal('water'),
  Type.Literal('mould'),
  Type.Literal('smell'),
  Type.Literal('foxing'),
  Type.Literal('sunned'),
  Type.Literal('eaten'),
  Type.Literal('repaired'),
  Type.Literal('part-missing'),
  Type.Literal('code-used'),
  Type.Literal('ex-library'),
  Type.Literal('remainder'),
  Type.Literal('owner-mark'),
  Type.Literal('jacket-rubbed'),
  Type.Literal('jacket-chipped'),
  Type.Literal('jacket-torn'),
  Type.Literal('jacket-creased'),
  Type.Literal('jacket-faded'),
  Type.Literal('jacket-soiled'),
  Type.Literal('jacket-clipped'),
  Type.Literal('jacket-sticker'),
  Type.Literal('jacket-taped'),
]);
export type DefectId = Static<typeof DefectName>;

const Binding = Type.Union([
  Type.Literal('hardcover'),
  Type.Literal('paperback'),
  Type.Literal('mass market'),
  Type.Literal('leather'),
  Type.Literal('library binding'),
  Type.Literal('spiral'),
  Type.Literal('board book'),
  Type.Literal('audio'),
  Type.Literal('other'),
]);

const Printing = Type.Union([
  Type.Literal('first edition'),
  Type.Literal('first printing'),
  Type.Literal('later printing'),
  Type.Literal('reprint'),
  Type.Literal('international'),
  Type.Literal('advance copy'),
  Type.Literal('facsimile'),
  Type.Literal('limited'),
]);

const Signed = Type.Union([
  Type.Literal('no'),
  Type.Literal('signed'),
  Type.Literal('inscribed'),
  Type.Literal('association'),
]);

const Jacket = Type.Union([Type.Literal('with'), Type.Literal('missing'), Type.Literal('none issued')]);

const orUnknown = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()]);

/** A defect that the copy has. `photo` is the id of one of the copy's photos that shows it. */
const NamedDefect = Type.Object({
  defect: DefectName,
  degree: DegreeWord,
  note: Type.Optional(Type.String({ maxLength: MAX_NOTE_LENGTH })),
  photo: Type.Optional(orUnknown(Id)),
});

/**
 * What a seller says of a copy. What is left out, null or empty is unknown, and is no "no"; `binding`, `language` and
 * `pages` are then what is known of the edition. `grade` and `jacketGrade`: null for the proposal; never above it
 * (`/grading`). `noDefects`, `noJacketDefects`: somebody looked and found none. `signed`: `no` where it is not;
 * `association`: it belonged to somebody it is about. `language`: three letters of ISO 639-2/B.
 */
export const PassportDraft = Type.Object({
  grade: Type.Optional(orUnknown(GradeWord)),
  jacketGrade: Type.Optional(orUnknown(GradeWord)),
  binding: Type.Optional(orUnknown(Binding)),
  language: Type.Optional(Type.String({ pattern: '^([a-z]{3})?$' })),
  pages: Type.Optional(orUnknown(Type.Integer({ minimum: 1, maximum: 50_000 }))),
  edition: Type.Optional(Type.String({ maxLength: 100 })),
  printing: Type.Optional(orUnknown(Printing)),
  signed: Type.Optional(orUnknown(Signed)),
  jacket: Type.Optional(orUnknown(Jacket)),
  bookClub: Type.Optional(orUnknown(Type.Boolean())),
  noDefects: Type.Optional(Type.Boolean()),
  noJacketDefects: Type.Optional(Type.Boolean()),
  defects: Type.Optional(Type.Array(NamedDefect, { maxItems: 40 })),
});
export type PassportDraft = Static<typeof PassportDraft>;

/**
 * What was said of a copy. `rules`: the version of the table by which it was graded. `grade` is null where no defect
 * was named nor said that there is none, `jacketGrade` where the jacket was not looked at, or there is none.
 * `exLibrary`, `remainder` and `annotated` (written or marked in) are null while nobody looked for defects.
 * `fromEdition`: what its seller did not say and is known of its edition.
 */
export const Passport = Type.Object({
  rules: Type.Integer(),
  grade: orUnknown(GradeWord),
  jacketGrade: orUnknown(GradeWord),
  binding: orUnknown(Binding),
  language: Type.String(),
  pages: orUnknown(Type.Integer()),
  edition: Type.String(),
  printing: orUnknown(Printing),
  signed: orUnknown(Signed),
  jacket: orUnknown(Jacket),
  bookClub: orUnknown(Type.Boolean()),
  exLibrary: orUnknown(Type.Boolean()),
  remainder: orUnknown(Type.Boolean()),
  annotated: orUnknown(Type.Boolean()),
  noDefects: Type.Boolean(),
  noJacketDefects: Type.Boolean(),
  defects: Type.Array(
    Type.Object({ defect: DefectName, degree: DegreeWord, note: Type.String(), photo: orUnknown(Id) }),
  ),
  fromEdition: Type.Array(Type.Union([Type.Literal('binding'), Type.Literal('language'), Type.Literal('pages')])),
});
export type Passport = Static<typeof Passport>;
