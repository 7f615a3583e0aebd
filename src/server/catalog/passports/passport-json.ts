import { objectOf } from '#server/platform/json-text.ts';

/** Its photo is told as long as the copy has it. */
const DEFECT = objectOf([
  ['defect', "d.one ->> 'defect'"],
  ['degree', "d.one ->> 'degree'"],
  ['note', "d.one ->> 'note'"],
  [
    'photo',
    "(SELECT i.photo_id FROM listing_photos AS i WHERE i.listing_id = p.listing_id AND i.photo_id = (d.one ->> 'photo')::uuid)",
  ],
]);

const DEFECTS = `CASE WHEN p.defects = '[]' THEN '[]' ELSE (SELECT array_to_json(array_agg(${DEFECT} ORDER BY d.place))
  FROM jsonb_array_elements(p.defects) WITH ORDINALITY AS d (one, place)) END`;

const SAID = objectOf([
  ['rules', 'p.rules'],
  ['grade', 'p.grade'],
  ['jacketGrade', 'p.jacket_grade'],
  ['binding', 'p.binding'],
  ['language', 'p.language'],
  ['pages', 'p.pages'],
  ['edition', 'p.edition'],
  ['printing', 'p.printing'],
  ['signed', 'p.signed'],
  ['jacket', 'p.jacket'],
  ['bookClub', 'p.book_club'],
  ['exLibrary', 'p.ex_library'],
  ['remainder', 'p.remainder'],
  ['annotated', 'p.annotated'],
  ['noDefects', 'p.no_defects'],
  ['noJacketDefects', 'p.no_jacket_defects'],
  ['defects', DEFECTS],
  ['fromEdition', 'p.from_edition'],
]);

/** What is said of the copy `l` as data, with the fields of the contract; null where nothing is. */
export const PASSPORT = `(SELECT row_to_json(${SAID}) FROM copy_passports AS p WHERE p.listing_id = l.id)`;
