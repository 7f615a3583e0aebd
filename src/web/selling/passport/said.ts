import type { Passport, PassportDraft } from '#contract/catalog/passport/passport.ts';

/** The properties in one order, those that say nothing left out: two texts that say the same are the same. */
const NAMES = [
  'grade',
  'jacketGrade',
  'binding',
  'language',
  'pages',
  'edition',
  'printing',
  'signed',
  'jacket',
  'bookClub',
  'noDefects',
  'noJacketDefects',
  'defects',
] as const satisfies readonly (keyof PassportDraft)[];

const saysNothing = (name: keyof PassportDraft, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (value === false && name !== 'bookClub') ||
  (Array.isArray(value) && value.length === 0);

/** What is said as a text of the form; empty where nothing is. */
export const textOfSaid = (said: PassportDraft): string => {
  const parts = NAMES.flatMap((name) => (saysNothing(name, said[name]) ? [] : [[name, said[name]] as const]));
  return parts.length === 0 ? '' : JSON.stringify(Object.fromEntries(parts));
};

/** What such a text says; nothing where it is none, as one kept by an older page may be. */
export const readSaid = (text: string): PassportDraft => {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    return {};
  }
};

/** What the form of a listed copy begins with: what its seller said, and not what its edition says. */
export const textOfPassport = (passport: Passport): string => {
  const { fromEdition } = passport;
  return textOfSaid({
    ...passport,
    binding: fromEdition.includes('binding') ? null : passport.binding,
    language: fromEdition.includes('language') ? '' : passport.language,
    pages: fromEdition.includes('pages') ? null : passport.pages,
    defects: passport.defects.map(({ defect, degree, note, photo }) => ({
      defect,
      degree,
      ...(note !== '' && { note }),
      ...(photo !== null && { photo }),
    })),
  });
};
