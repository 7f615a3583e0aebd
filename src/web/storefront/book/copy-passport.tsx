import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { photoPath } from '#contract/catalog/photo-path.ts';
import { photoAlt } from '#contract/catalog/photo-words.ts';
import type { ListingPhoto } from '#contract/catalog/photos.ts';
import { GRADE_MEANINGS, type Grade } from '#contract/catalog/passport/grades.ts';
import { languageName } from '#contract/catalog/passport/languages.ts';
import {
  defectInWords,
  JACKET_WORDS,
  PRINTING_WORDS,
  SIGNED_WORDS,
} from '#contract/catalog/passport/passport-words.ts';
import type { Passport } from '#contract/catalog/passport/passport.ts';

interface Props {
  passport: Passport;
  title: string;
  photos: readonly ListingPhoto[];
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-3 border-t border-base-300 py-2.5">
    <dt className="w-32 max-w-full text-muted">{name}</dt>
    <dd className="min-w-[min(8rem,100%)] flex-1 break-words">{children}</dd>
  </div>
);

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What is known, in the order in which it is shown; nothing is said of what is not. */
const factsOf = (passport: Passport): readonly (readonly [name: string, value: string])[] => {
  const { binding, language, pages, edition, printing, signed, bookClub, fromEdition } = passport;
  const of = (name: (typeof fromEdition)[number], text: string): string =>
    fromEdition.includes(name) ? `${text}, as the edition is known` : text;
  const printed = [printing === null ? '' : PRINTING_WORDS[printing], edition].filter((text) => text !== '');
  return [
    ...(binding === null ? [] : [['Binding', of('binding', capital(binding))] as const]),
    ...(language === '' ? [] : [['Language', of('language', languageName(language))] as const]),
    ...(pages === null ? [] : [['Pages', of('pages', String(pages))] as const]),
    ...(printed.length === 0 ? [] : [['Edition', printed.join(' · ')] as const]),
    ...(signed === null ? [] : [['Signature', SIGNED_WORDS[signed]] as const]),
    ...(bookClub === null ? [] : [['Book club', bookClub ? 'Book club edition' : 'No book club edition'] as const]),
  ];
};

const GradeFact = ({ name, grade }: { name: string; grade: Grade }) => (
  <Fact name={name}>
    <Link to="/grading" className="text-link font-semibold">
      {grade}
    </Link>
    <span className="block text-sm text-muted">{GRADE_MEANINGS[grade].means}</span>
  </Fact>
);

/** What its seller says of a copy: grade, jacket, what it is and what is wrong with it. */
export const CopyPassport = ({ passport, title, photos }: Props) => {
  const { grade, jacketGrade, jacket, defects, noDefects } = passport;
  const facts = factsOf(passport);
  return (
    <section aria-labelledby="this-copy">
      <h2 id="this-copy" className="mb-2 font-serif text-xl font-semibold">
        This copy
      </h2>
      {defects.some(({ defect }) => defect === 'pages-missing') && (
        <p className="mb-2 font-semibold text-warning">Incomplete: pages are missing.</p>
      )}
      <dl className="border-b border-base-300">
        {grade !== null && <GradeFact name="Grade" grade={grade} />}
        {jacket !== null && <Fact name="Jacket">{JACKET_WORDS[jacket]}</Fact>}
        {jacketGrade !== null && <GradeFact name="Grade of the jacket" grade={jacketGrade} />}
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            <span dir="auto">{value}</span>
          </Fact>
        ))}
      </dl>
      {(defects.length > 0 || noDefects) && (
        <>
          <h3 className="mt-4 mb-2 font-semibold">Defects</h3>
          {defects.length === 0 && <p>Its seller looked and found none.</p>}
          <ul aria-label="Defects" className="flex flex-col gap-3">
            {defects.map(({ defect, degree, note, photo: id }) => {
              const at = photos.findIndex((one) => one.id === id);
              const photo = photos[at];
              return (
                <li key={defect} className="flex items-start gap-3">
                  {photo !== undefined && (
                    <a href={photoPath(photo.name, 1_600)} className="shrink-0">
                      <img
                        src={photoPath(photo.name, 320)}
                        alt={photoAlt(title, photo, at)}
                        width={64}
                        height={64}
                        loading="lazy"
                        className="size-16 rounded-sm object-cover"
                      />
                    </a>
                  )}
                  <span className="min-w-0 break-words">
                    {defectInWords({ defect, degree })}
                    {note !== '' && (
                      <span dir="auto" className="block text-sm text-muted">
                        {note}
                      </span>
                    )}
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
      {grade === null && passport.signed === null && (
        <p className="mt-2 text-sm text-muted">Its defects were not looked at one by one.</p>
      )}
    </section>
  );
};
