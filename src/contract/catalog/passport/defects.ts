import type { Grade } from './grades.ts';
import type { DefectId, Degree } from './passport.ts';

/** The highest grade that a defect leaves; such a book is not to be listed at all. */
export type Cap = Grade | 'not listed';

export interface Defect {
  readonly name: string;
  readonly of: 'book' | 'jacket';
  /** Which degrees there are, the slightest first, in words, and what each leaves of the grade. */
  readonly degrees: readonly { readonly degree: Degree; readonly word: string; readonly cap: Cap }[];
  /** What is meant, where the name does not say it. */
  readonly hint?: string;
}

const DEGREES = ['slight', 'clear', 'heavy'] as const;

type Three<T> = readonly [T, T, T];

const graded = (
  of: Defect['of'],
  name: string,
  caps: Three<Cap>,
  { words = DEGREES, hint }: { words?: Three<string>; hint?: string } = {},
): Defect => ({
  name,
  of,
  degrees: DEGREES.map((degree, at) => ({ degree, word: words[at] ?? degree, cap: caps[at] ?? 'Poor' })),
  ...(hint !== undefined && { hint }),
});

/** It is there or not. */
const simple = (of: Defect['of'], name: string, cap: Cap, hint?: string): Defect => ({
  name,
  of,
  degrees: [{ degree: 'clear', word: 'yes', cap }],
  ...(hint !== undefined && { hint }),
});

const NF_VG_G = ['Near Fine', 'Very Good', 'Good'] as const;
const VG_G_FAIR = ['Very Good', 'Good', 'Fair'] as const;
const G_FAIR_POOR = ['Good', 'Fair', 'Poor'] as const;

/** Every defect that can be named, with what it leaves of the grade; part of the rules of `RULES_VERSION`. */
export const DEFECTS: Readonly<Record<DefectId, Defect>> = {
  'edge-wear': graded('book', 'Wear at the edges', NF_VG_G),
  corners: graded('book', 'Corners bumped', NF_VG_G),
  leaning: graded('book', 'Leaning or bowed', NF_VG_G, { hint: 'It does not stand straight.' }),
  'spine-creased': graded('book', 'Spine creased', NF_VG_G),
  'spine-cracked': graded('book', 'Spine or hinge cracked', G_FAIR_POOR),
  'cover-torn': graded('book', 'Cover torn or lacking', G_FAIR_POOR),
  'binding-loose': graded('book', 'Binding loose, board off', G_FAIR_POOR),
  'pages-loose': graded('book', 'Pages loose, all there', ['Good', 'Fair', 'Fair']),
  'pages-missing': graded('book', 'Pages missing', ['Fair', 'Poor', 'Poor'], {
    words: ['blank ones', 'a plate', 'text'],
    hint: 'The title says “incomplete”.',
  }),
  'page-torn': graded('book', 'Pages torn', VG_G_FAIR),
  'corner-folded': graded('book', 'Pages folded or creased', NF_VG_G),
  writing: graded('book', 'Writing, notes', VG_G_FAIR),
  highlighting: graded('book', 'Highlighting, underlining', VG_G_FAIR),
  stain: graded('book', 'Stained or soiled', VG_G_FAIR),
  water: graded('book', 'Water damage', G_FAIR_POOR, { words: ['wavy', 'stained', 'stuck together'] }),
  mould: graded('book', 'Mould', ['Fair', 'Poor', 'not listed'], { words: ['gone', 'traces', 'live'] }),
  smell: graded('book', 'Smell', VG_G_FAIR, { hint: 'Of smoke or damp.' }),
  foxing: graded('book', 'Foxing, browned paper', NF_VG_G),
  sunned: graded('book', 'Faded by the sun', NF_VG_G),
  eaten: graded('book', 'Eaten', G_FAIR_POOR, { hint: 'By worms or a pet.' }),
  repaired: graded('book', 'Repaired or taped', ['Good', 'Good', 'Fair']),
  'part-missing': graded('book', 'A part is missing', VG_G_FAIR, { hint: 'Disc, map or supplement.' }),
  'code-used': simple('book', 'Access code used', 'Very Good'),
  'ex-library': graded('book', 'Ex-library', VG_G_FAIR, { hint: 'A library’s discarded copy, with its marks.' }),
  remainder: graded('book', 'Remainder mark', ['Near Fine', 'Near Fine', 'Very Good'], {
    hint: 'A line or dot on the edge of the pages.',
  }),
  'owner-mark': graded('book', 'Owner’s name, bookplate or stamp', ['Near Fine', 'Very Good', 'Very Good']),
  'jacket-rubbed': graded('jacket', 'Jacket rubbed', NF_VG_G),
  'jacket-chipped': graded('jacket', 'Jacket chipped', ['Near Fine', 'Very Good', 'Fair'], {
    hint: 'Small pieces are gone from its edges.',
  }),
  'jacket-torn': graded('jacket', 'Jacket torn', VG_G_FAIR),
  'jacket-creased': graded('jacket', 'Jacket creased', NF_VG_G),
  'jacket-faded': graded('jacket', 'Jacket faded', NF_VG_G),
  'jacket-soiled': graded('jacket', 'Jacket soiled', VG_G_FAIR),
  'jacket-clipped': simple('jacket', 'Price clipped', 'Near Fine', 'The corner with the price is cut off.'),
  'jacket-sticker': simple('jacket', 'Sticker or its traces', 'Very Good'),
  'jacket-taped': graded('jacket', 'Jacket taped', G_FAIR_POOR),
};

/** All defects in the order in which they are shown and stored. */
export const DEFECT_IDS = Object.keys(DEFECTS) as DefectId[];

/** What is said of a degree of a defect; undefined where it has no such degree. */
export const degreeOf = (id: DefectId, degree: Degree): Defect['degrees'][number] | undefined =>
  DEFECTS[id].degrees.find((one) => one.degree === degree);
