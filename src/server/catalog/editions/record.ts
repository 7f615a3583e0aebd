import { bindingOf, type Binding } from '#contract/catalog/binding.ts';
import { parsePublishedYear } from '#contract/catalog/listing-rules.ts';

/** What Open Library says of an edition, without its ISBN and with its authors still by their keys. */
export interface RecordFacts {
  readonly title: string;
  readonly publisher: string;
  readonly year: number | null;
  readonly language: string;
  readonly binding: Binding;
  readonly pages: number | null;
}

/** As long as a listing takes them. */
const TITLE_LENGTH = 300;
export const NAME_LENGTH = 200;
const AUTHORS_LENGTH = 500;
const MOST_PAGES = 20_000;

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A text of a record: spaces tidied, NUL and halves of characters out, which no column takes. */
export const textOf = (value: unknown, longest: number): string => {
  if (typeof value !== 'string') return '';
  const text = value.toWellFormed().replaceAll('\0', '').normalize('NFC').replaceAll(/\s+/g, ' ').trim();
  return text.length <= longest ? text : [...text].slice(0, longest).join('').trimEnd();
};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** `{ key }`, `{ author: { key } }` and `{ author: key }` all occur. */
export const keyOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return '';
  return typeof value['key'] === 'string' ? value['key'] : keyOf(value['author'] ?? '');
};

/** The first year that a free text says: "May 17, 1998", "c1963", "1998-05". */
const yearOf = (text: unknown): number | null => {
  const [year] = /(?<!\d)(1[4-9]|20)\d\d(?!\d)/.exec(typeof text === 'string' ? text : '') ?? [];
  return (year !== undefined && parsePublishedYear(year)) || null;
};

const pagesOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_PAGES ? value : null;

const titleOf = (record: Json): string => {
  const title = textOf(record['title'], TITLE_LENGTH);
  const subtitle = textOf(record['subtitle'], TITLE_LENGTH);
  return title === '' || subtitle === '' ? title : textOf(`${title}: ${subtitle}`, TITLE_LENGTH);
};

/** What an edition's record of Open Library says, in a dump or an answer of the API; undefined without a title. */
export const factsOf = (record: Json): RecordFacts | undefined => {
  const title = titleOf(record);
  if (title === '') return undefined;
  return {
    title,
    publisher: textOf(listOf(record['publishers'])[0], NAME_LENGTH),
    year: yearOf(record['publish_date']),
    language: /^\/languages\/([a-z]{3})$/.exec(keyOf(listOf(record['languages'])[0]))?.[1] ?? '',
    binding: bindingOf(textOf(record['physical_format'], NAME_LENGTH)),
    pages: pagesOf(record['number_of_pages']),
  };
};

/** The names of the authors that an answer of the API tells, as listings write them. */
export const namesOf = (record: Json): string =>
  listOf(record['authors'])
    .map((author) => (isObject(author) ? textOf(author['name'], NAME_LENGTH) : ''))
    .filter((name) => name !== '')
    .join(', ')
    .slice(0, AUTHORS_LENGTH);
