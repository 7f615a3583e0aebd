/**
 * An answer that is JSON already, as the database wrote it: sent as it is, never read and written again. Only what it is made of
 * columns of one contract may become one (test/written-answers.test.ts compares each with its schema, to the field).
 */
export class Written<A> {
  /** For the compiler alone: what the text is of. */
  declare readonly answer: A;
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** A page of a list that is JSON already. */
export interface WrittenPage<Row> {
  readonly written: Written<Row[]>;
  readonly next?: string | undefined;
  readonly total?: number | undefined;
}

/**
 * How a column becomes JSON:
 * - `text`: anything a person wrote; escaped
 * - `plain`: text that holds nothing to escape, such as ids, times and words of ours
 * - `number`, `boolean`; `number or null`
 */
export type WrittenAs = 'text' | 'plain' | 'number' | 'boolean' | 'number or null';

const VALUE: Record<WrittenAs, (column: string) => string> = {
  text: (column) => `to_json(${column})`,
  plain: (column) => `'"', ${column}, '"'`,
  number: (column) => column,
  boolean: (column) => `CASE WHEN ${column} THEN 'true' ELSE 'false' END`,
  'number or null': (column) => `coalesce((${column})::text, 'null')`,
};

/**
 * SQL that writes one JSON object a row: for each field its name, how it is written and the column it is of. By hand, because
 * `json_build_object` looks up the type of each value and escapes what needs none. No column but `number or null` may be NULL.
 */
export const objectOf = (fields: readonly (readonly [name: string, as: WrittenAs, column: string])[]): string => {
  const parts = fields.map(
    ([name, as, column], place) => `'${place === 0 ? '{' : ','}"${name}":', ${VALUE[as](column)}`,
  );
  return `concat(${parts.join(', ')}, '}')`;
};
