import { useEffect, useState } from 'react';
import { BINDINGS } from '#contract/catalog/binding.ts';
import { readEdition, type EditionFacts } from '#contract/catalog/editions/edition-calls.ts';
import { readIsbn } from '#contract/catalog/isbn.ts';
import { conditionOfGrade, GRADE_MEANINGS, GRADES, isAbove, type Grade } from '#contract/catalog/passport/grades.ts';
import { proposalsOf, type Proposal } from '#contract/catalog/passport/grading.ts';
import { LANGUAGES, languageName } from '#contract/catalog/passport/languages.ts';
import { because, JACKET_WORDS, PRINTING_WORDS, SIGNED_WORDS } from '#contract/catalog/passport/passport-words.ts';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { call } from '#web/api/call.ts';
import { CheckField } from '#web/ui/check-field.tsx';
import { Field, Select } from '#web/ui/field.tsx';
import { DefectList, type PhotoOffered } from './defect-list.tsx';

interface Props {
  said: PassportDraft;
  onSaid: (said: PassportDraft) => void;
  /** The condition that follows from the grade; undefined where it is chosen by hand. */
  onCondition: (condition: string | undefined) => void;
  /** The ISBN that is typed, in any form. */
  isbn: string;
  photos: readonly PhotoOffered[];
  error: string | undefined;
}

const NOT_KNOWN = 'Not known';

/** What is known of the edition, to be read beside what is left open. */
const useEdition = (isbn: string): EditionFacts | undefined => {
  const [edition, setEdition] = useState<EditionFacts>();
  const found = readIsbn(isbn);
  const isbn13 = found !== undefined && 'isbn13' in found ? found.isbn13 : undefined;
  useEffect(() => {
    if (isbn13 === undefined) return undefined;
    let isOver = false;
    // What is not known of the edition is said by hand.
    call(readEdition, { params: { isbn: isbn13 } }).then(
      (known) => void (isOver || setEdition(known)),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [isbn13]);
  return edition?.isbn13 === isbn13 ? edition : undefined;
};

const options = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));

const fromEdition = (known: string | undefined): string => (known ? `${known}, from the edition` : NOT_KNOWN);

interface GradeProps {
  label: string;
  chosen: Grade | null | undefined;
  proposal: Proposal;
  error?: string | undefined;
  onChosen: (grade: Grade | null) => void;
}

/** The proposal and why, and the choice of a lower grade; what is chosen is said in words. */
const GradeChoice = ({ label, chosen, proposal, error, onChosen }: GradeProps) => {
  const { grade: proposed } = proposal;
  if (proposed === null) {
    return (
      <p role="alert" className="text-error" data-field-error>
        {because(proposal)} It spoils the books that it stands beside.
      </p>
    );
  }
  const grade = chosen ?? proposed;
  return (
    <Select
      label={label}
      error={error}
      value={chosen ?? ''}
      hint={
        <span role="status">
          {`${proposed} is proposed. ${because(proposal)} `}
          <span className="block">{`${grade}: ${GRADE_MEANINGS[grade].means}`}</span>
        </span>
      }
      onChange={({ target }) => onChosen(GRADES.find((one) => one === target.value) ?? null)}
    >
      <option value="">{`As proposed: ${proposed}`}</option>
      {GRADES.filter((one) => isAbove(proposed, one)).map((one) => (
        <option key={one}>{one}</option>
      ))}
    </Select>
  );
};

/** A grade that was chosen stays while the defects leave as much. */
const within = (chosen: Grade | null | undefined, proposal: Proposal | undefined): Grade | null =>
  chosen == null || proposal?.grade == null || !isAbove(proposal.grade, chosen) ? null : chosen;

/** What somebody says of a copy beside its condition: what it is, and what is wrong with it. */
export const DescribeCopy = ({ said, onSaid, onCondition, isbn, photos, error }: Props) => {
  const edition = useEdition(isbn);
  const { book, jacket } = proposalsOf(said);
  const say = (more: PassportDraft): void => {
    const next: PassportDraft = { ...said, ...more };
    if (next.jacket !== 'with') {
      next.noJacketDefects = false;
      next.defects = (next.defects ?? []).filter(({ defect }) => !defect.startsWith('jacket-'));
    }
    const proposals = proposalsOf(next);
    next.grade = within(next.grade, proposals.book);
    next.jacketGrade = within(next.jacketGrade, proposals.jacket);
    onSaid(next);
    const grade = next.grade ?? proposals.book?.grade;
    onCondition(grade == null ? undefined : conditionOfGrade(grade));
  };
  const choice = <Name extends 'binding' | 'printing' | 'signed' | 'jacket'>(name: Name) => ({
    value: said[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) =>
      say({ [name]: target.value === '' ? null : target.value } as PassportDraft),
  });

  return (
    <div className="flex flex-col gap-6">
      {error !== undefined && book === undefined && (
        <p role="alert" className="text-sm text-error" data-field-error>
          {error}
        </p>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Select label="Binding" {...choice('binding')}>
          <option value="">{fromEdition(edition?.binding)}</option>
          {BINDINGS.map((binding) => (
            <option key={binding}>{binding}</option>
          ))}
        </Select>
        <Select label="Language" value={said.language ?? ''} onChange={({ target }) => say({ language: target.value })}>
          <option value="">{fromEdition(edition && languageName(edition.language))}</option>
          {options(LANGUAGES)}
        </Select>
        <Field
          label="Pages"
          type="number"
          min={1}
          max={50_000}
          value={said.pages ?? ''}
          placeholder={edition?.pages == null ? '' : fromEdition(String(edition.pages))}
          onChange={({ target }) => {
            const pages = Math.trunc(Number(target.value));
            say({ pages: pages >= 1 && pages <= 50_000 ? pages : null });
          }}
        />
        <Select label="Printing" {...choice('printing')}>
          <option value="">{NOT_KNOWN}</option>
          {options(PRINTING_WORDS)}
        </Select>
        <Field
          label="Edition, in the book’s words"
          maxLength={100}
          value={said.edition ?? ''}
          onChange={({ target }) => say({ edition: target.value })}
        />
        <Select label="Signed" hint="By its author" {...choice('signed')}>
          <option value="">{NOT_KNOWN}</option>
          {options(SIGNED_WORDS)}
        </Select>
        <Select label="Jacket" {...choice('jacket')}>
          <option value="">{NOT_KNOWN}</option>
          {options(JACKET_WORDS)}
        </Select>
        <Select
          label="Book club edition"
          value={said.bookClub == null ? '' : said.bookClub ? 'yes' : 'no'}
          onChange={({ target }) => say({ bookClub: target.value === '' ? null : target.value === 'yes' })}
        >
          <option value="">{NOT_KNOWN}</option>
          <option value="yes">Yes</option>
          <option value="no">No</option>
        </Select>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="float-left w-full font-serif text-lg font-semibold">Defects of the book</legend>
        <CheckField
          label="No defects found"
          checked={said.noDefects ?? false}
          disabled={(said.defects ?? []).some(({ defect }) => !defect.startsWith('jacket-'))}
          onChange={({ target }) => say({ noDefects: target.checked })}
        />
        {said.noDefects !== true && <DefectList of="book" said={said} onSaid={say} photos={photos} />}
      </fieldset>
      {book === undefined ? (
        <p className="text-sm text-muted">
          Nothing is ticked, so no grade is told: the condition above stays as you chose it.
        </p>
      ) : (
        <GradeChoice
          label="Grade of the book"
          chosen={said.grade}
          proposal={book}
          error={error}
          onChosen={(grade) => say({ grade })}
        />
      )}
      {said.jacket === 'with' && (
        <fieldset className="flex flex-col gap-2">
          <legend className="float-left w-full font-serif text-lg font-semibold">Defects of the jacket</legend>
          <CheckField
            label="The jacket has none"
            checked={said.noJacketDefects ?? false}
            disabled={(said.defects ?? []).some(({ defect }) => defect.startsWith('jacket-'))}
            onChange={({ target }) => say({ noJacketDefects: target.checked })}
          />
          {said.noJacketDefects !== true && <DefectList of="jacket" said={said} onSaid={say} photos={photos} />}
        </fieldset>
      )}
      {jacket !== undefined && (
        <GradeChoice
          label="Grade of the jacket"
          chosen={said.jacketGrade}
          proposal={jacket}
          onChosen={(jacketGrade) => say({ jacketGrade })}
        />
      )}
    </div>
  );
};
export default DescribeCopy;
