import { BINDINGS } from '#contract/catalog/binding.ts';
import type { Condition, ListingEdit } from '#contract/catalog/catalog.ts';
import { RULES_VERSION } from '#contract/catalog/passport/grading.ts';
import { conditionOfPassport, learnedOf, passportProblem } from '#contract/catalog/passport/passport-rules.ts';
import type { Passport, PassportDraft } from '#contract/catalog/passport/passport.ts';
import type { FieldErrors } from '#contract/errors.ts';
import { oneLine } from '#contract/text.ts';
import { badFields } from '#server/platform/errors.ts';
import { inPieces, piecesOf } from '#server/platform/in-pieces.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import {
  deletePassport,
  findEditionFacts,
  findPassport,
  listEditionFacts,
  listPassports,
  listPhotoIds,
  upsertPassport,
  upsertPassports,
  type PassportRow,
} from './passport.queries.ts';

/** What is wrong with what a seller says of a copy, as `fields` has it. */
export const passportProblems = (draft: PassportDraft | null | undefined): FieldErrors => {
  const problem = draft ? passportProblem(draft) : undefined;
  return problem === undefined ? {} : { passport: problem };
};

/** The condition that follows from what is said; undefined where its seller says it by hand. */
export const conditionOf = (draft: PassportDraft | null | undefined): Condition | undefined =>
  draft && passportProblem(draft) === undefined ? conditionOfPassport(draft) : undefined;

/** What a seller had said, without what was filled in from the edition. */
const saidIn = (row: PassportRow): PassportDraft => ({
  grade: row.grade,
  jacketGrade: row.jacket_grade,
  binding: row.from_edition.includes('binding') ? null : row.binding,
  language: row.from_edition.includes('language') ? '' : row.language,
  pages: row.from_edition.includes('pages') ? null : row.pages,
  edition: row.edition,
  printing: row.printing,
  signed: row.signed,
  jacket: row.jacket,
  bookClub: row.book_club,
  noDefects: row.no_defects,
  noJacketDefects: row.no_jacket_defects,
  defects: row.defects,
});

/**
 * The condition of a copy after an edit; undefined where it stays as it is. A problem where the edit says another one
 * than its grade gives.
 */
export const conditionAfter = async (
  db: Db,
  listingId: string,
  edit: Pick<ListingEdit, 'condition' | 'passport'>,
): Promise<{ readonly is: Condition | undefined } | { readonly problem: string }> => {
  if (edit.passport !== undefined) return { is: conditionOf(edit.passport) ?? edit.condition };
  if (edit.condition === undefined) return { is: undefined };
  const before = await findPassport(db, listingId);
  const given = before && conditionOfPassport(saidIn(before));
  if (given === undefined || given === edit.condition) return { is: edit.condition };
  return { problem: `The grade of this copy gives ${given}: change what is said of its defects` };
};

const isBinding = (word: string): word is NonNullable<Passport['binding']> => BINDINGS.some((one) => one === word);

type EditionFacts = Awaited<ReturnType<typeof findEditionFacts>>;

/** What is stored; what the seller does not say of its edition is what is known of that. */
const rowOf = (said: PassportDraft, edition: EditionFacts): PassportRow => {
  const learned = learnedOf(said);
  const known = {
    binding: edition !== undefined && isBinding(edition.binding) ? edition.binding : null,
    language: edition !== undefined && /^[a-z]{3}$/.test(edition.language) ? edition.language : '',
    pages: edition?.pages ?? null,
  };
  const own = { binding: said.binding ?? null, language: said.language ?? '', pages: said.pages ?? null };
  const fromEdition = (['binding', 'language', 'pages'] as const).filter((name) => !own[name] && known[name]);
  return {
    rules: RULES_VERSION,
    grade: learned.grade,
    jacket_grade: learned.jacketGrade,
    binding: own.binding ?? known.binding,
    language: own.language === '' ? known.language : own.language,
    pages: own.pages ?? known.pages,
    edition: oneLine(said.edition ?? ''),
    printing: said.printing ?? null,
    signed: said.signed ?? null,
    jacket: said.jacket ?? null,
    book_club: said.bookClub ?? null,
    ex_library: learned.exLibrary,
    remainder: learned.remainder,
    annotated: learned.annotated,
    no_defects: said.noDefects ?? false,
    no_jacket_defects: said.noJacketDefects ?? false,
    defects: learned.defects.map(({ defect, degree, note, photo }) => ({
      defect,
      degree,
      note: oneLine(note ?? ''),
      photo: photo?.toLowerCase() ?? null,
    })),
    from_edition: fromEdition,
  };
};

/** Whether anything is said at all. */
const saysAnything = ({ rules: _rules, from_edition: _from, ...row }: PassportRow): boolean =>
  Object.values(row).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== '' && value !== false,
  ) || row.book_club === false;

/** The same, whatever the order in which the database names what is in it. */
const isSame = (row: PassportRow, before: PassportRow): boolean => {
  const textOf = ({ defects, ...rest }: PassportRow): string =>
    JSON.stringify([
      Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      defects.map(({ defect, degree, note, photo }) => [defect, degree, note, photo]),
    ]);
  return textOf(row) === textOf(before);
};

/** With photos that the copy has; 400 where its seller names another one, which just goes where it was taken off. */
const withPhotos = async (trx: Trx, listingId: string, said: PassportDraft, isNew: boolean): Promise<PassportDraft> => {
  const { defects = [] } = said;
  if (defects.every(({ photo }) => photo == null)) return said;
  const there = new Set(await listPhotoIds(trx, listingId));
  const isThere = (photo: string | null | undefined): boolean => photo == null || there.has(photo.toLowerCase());
  if (isNew && !defects.every(({ photo }) => isThere(photo)))
    throw badFields({ passport: 'A photo of a defect is none of this book’s photos: please choose it again' });
  return { ...said, defects: defects.map((one) => (isThere(one.photo) ? one : { ...one, photo: null })) };
};

/**
 * Keeps what is said of a copy, filled up with what is known of its edition; null takes it back, undefined leaves what
 * was said and fills it up anew. Answers whether anything changed. The caller holds the copy's row lock, or has just
 * made it, has placed its photos, and looked for problems.
 */
export const keepPassport = async (
  trx: Trx,
  copy: { readonly id: string; readonly isbn13: string },
  draft: PassportDraft | null | undefined,
): Promise<boolean> => {
  const before = await findPassport(trx, copy.id);
  const wanted = draft === undefined ? before && saidIn(before) : draft;
  const edition = copy.isbn13 === '' ? undefined : await findEditionFacts(trx, copy.isbn13);
  if (wanted === undefined && edition === undefined) return false;
  const said = await withPhotos(trx, copy.id, wanted ?? {}, draft !== undefined);
  const row = rowOf(said, edition);
  if (!saysAnything(row)) {
    if (before !== undefined) await deletePassport(trx, copy.id);
    return before !== undefined;
  }
  if (before !== undefined && isSame(row, before)) return false;
  await upsertPassport(trx, copy.id, row);
  return true;
};

/** What many copies are said to be, as far as a row of a file says it. */
export interface CopyToldOf {
  readonly id: string;
  readonly isbn13: string;
  readonly said: PassportDraft;
}

/** Put into words for the database at once. */
const WRITTEN_PIECE = 100;
/** Copies that are looked at without a pause. */
const PIECE = 25;

/**
 * Which of these copies say something else than before once what is told of them is added; what contradicts what was
 * said of their defects is left out. `writeTold` writes it.
 */
export const tellOfCopies = async (
  db: Db,
  copies: readonly CopyToldOf[],
): Promise<ReadonlyMap<string, PassportRow>> => {
  const [before, editions] = [
    await listPassports(
      db,
      copies.map(({ id }) => id),
    ),
    await listEditionFacts(db, [...new Set(copies.flatMap(({ isbn13 }) => (isbn13 === '' ? [] : [isbn13])))]),
  ];
  const changed = new Map<string, PassportRow>();
  await inPieces(copies, PIECE, ({ id, isbn13, said }) => {
    const known = before.get(id);
    const draft = { ...(known && saidIn(known)), ...said };
    const row = rowOf(
      passportProblem(draft) === undefined ? draft : ((known && saidIn(known)) ?? {}),
      editions.get(isbn13),
    );
    if (saysAnything(row) && (known === undefined || !isSame(row, known))) changed.set(id, row);
  });
  return changed;
};

/** Writes what `tellOfCopies` found to be said; the caller holds the copies' row locks, or has just made them. */
export const writeTold = async (trx: Trx, told: ReadonlyMap<string, PassportRow>): Promise<void> => {
  for (const piece of piecesOf([...told], WRITTEN_PIECE)) await upsertPassports(trx, new Map(piece));
};
