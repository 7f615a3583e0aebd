import type { EditionAnswer } from '#contract/catalog/editions/edition-page.ts';
import { formatCount } from '#contract/count.ts';
import { languageName } from '#contract/catalog/passport/languages.ts';
import { Cover } from '#web/ui/cover.tsx';
import { yearText } from '#web/storefront/lists/listing-words.ts';
import { AuthorLinks } from './author-links.tsx';
import { copiesText } from './copies-text.ts';

const SOURCES: Readonly<Record<EditionAnswer['source'], string>> = {
  shop: 'As its copies here are described, and a catalogue of editions where they are not.',
  table: 'From a catalogue of editions; no copy here has described it yet.',
  'open-library': 'From Open Library; no copy here has described it yet.',
};

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What is known of an edition beside its name, in the order in which it is told. */
export const factsOf = ({ publisher, year, binding, pages, language }: EditionAnswer): string[] =>
  [
    [publisher, year === null ? '' : yearText(year)].filter((part) => part !== '').join(', '),
    capital(binding),
    pages === null ? '' : `${formatCount(pages)} pages`,
    language === '' ? '' : languageName(language),
  ].filter((part) => part !== '');

/** Which book it is, and how many copies of it there are. */
export const EditionHead = ({ edition }: { edition: EditionAnswer }) => {
  const { isbn13, title, authors, author_pages: pages, photo, image_url: imageUrl, count, from } = edition;
  return (
    <header className="grid grid-cols-[6rem_minmax(0,1fr)] gap-5 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-8">
      <Cover
        title={title}
        authors={authors}
        imageUrl={photo === null ? '' : imageUrl}
        eager
        decorative
        className="w-full self-start"
      />
      <div className="min-w-0">
        <h1 dir="auto" className="font-serif text-3xl leading-tight font-bold break-words sm:text-4xl">
          {title}
        </h1>
        {authors !== '' && (
          <p dir="auto" className="mt-2 text-lg break-words text-muted">
            <AuthorLinks authors={authors} pages={pages} />
          </p>
        )}
        <p dir="auto" className="mt-4 break-words">
          {factsOf(edition).join(' · ')}
        </p>
        <p>ISBN {isbn13}</p>
        <p className="mt-1 text-sm text-muted">{SOURCES[edition.source]}</p>
        {from !== null && <p className="mt-4 font-serif text-xl font-semibold">{copiesText(count, from)}</p>}
      </div>
    </header>
  );
};
