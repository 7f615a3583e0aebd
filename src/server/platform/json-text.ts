/**
 * An answer that is JSON already, as the database wrote it: sent as it is, never read and written again. Only what it
 * is made of columns of one contract may become one (test/json-answers.test.ts compares each with its schema, to the
 * field).
 */
export class JsonText<A> {
  /** For the compiler alone: what the text is of. */
  declare readonly answer: A;
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** A page of a list that is JSON already. */
export interface JsonPage<Row> {
  readonly written: JsonText<Row[]>;
  readonly next?: string | undefined;
  readonly total?: number | undefined;
}

/**
 * SQL for one record a row with these fields, in this order: what `array_to_json` and `row_to_json` write as an object.
 * The names and types of all fields are looked up once a statement; `json_build_object` does that for each value.
 */
export const objectOf = (fields: readonly (readonly [name: string, column: string])[]): string =>
  `(SELECT written FROM (SELECT ${fields.map(([name, column]) => `${column} AS "${name}"`).join(', ')}) AS written)`;

/** As `objectOf`, with the fields in the order of RFC 8785: without a number that is no integer, that is canonical. */
export const canonicalObjectOf = (fields: Parameters<typeof objectOf>[0]): string =>
  objectOf(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
