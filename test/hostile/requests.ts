// Requests made up from the OpenAPI document: every operation, with values it takes, values it does not take, and what
// no program sends.
import fc from 'fast-check';

export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
            >;
          }
        >
      >
    >
  >;
}

export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Types and their schemas of each success, none where there is nothing to read. */
  readonly answers: ReadonlyMap<number, Readonly<Record<string, { readonly schema: Schema }>>>;
}

export const operationsOf = ({ paths }: OpenApi): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json']?.schema,
      answers: new Map(
        Object.entries(responses)
          .filter(([status]) => /^[23]/.test(status))
          .map(([status, { content = {} }]) => [Number(status), content]),
      ),
    })),
  );

/** What a request may name that is really there: ids, addresses, words. */
export interface Known {
  readonly ids: readonly string[];
  readonly words: readonly string[];
  readonly emails: readonly string[];
}

/** A request as it goes over the wire. `body` is text or bytes, well-formed or not. */
export interface MadeRequest {
  readonly operation: Operation;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const HOSTILE_TEXT = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'x\uDFFF',
  '\u202Egnp.exe',
  '\r\nSet-Cookie: a=b',
  '\u001b[31mred',
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '%s%n%x',
  '../../../../etc/passwd',
  '<img src=x onerror=alert(1)>',
  '{{7*7}}',
  '${7*7}',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e309',
  '0x10',
  '9'.repeat(400),
  'a'.repeat(10_000),
  'é'.repeat(5_000),
  '😀'.repeat(300),
  'javascript:alert(1)',
  'http://169.254.169.254/latest/meta-data/',
];

/**
 * What becomes another text, a longer one or none at all when it is compared: ligatures, numerals that are no digits,
 * marks on letters.
 */
const CHANGING = [
  'ﬃ',
  'ﬁ',
  'ﷺ',
  'ß',
  'İ',
  'ǆ',
  '①',
  '½',
  '㉈',
  'Ⅷ',
  '²',
  '๑',
  '\u0301',
  '\u0338',
  '\u0e33',
  '\u200d',
  '𝔥',
  '🏳️‍🌈',
];

/** Words of such, behind one that is known, so that what is near it is looked for. */
const changingText = (known: Known): fc.Arbitrary<string> =>
  fc
    .record({
      before: fc.constantFrom('', ...known.words),
      piece: fc.array(fc.constantFrom(...CHANGING), { minLength: 1, maxLength: 3 }),
      times: fc.constantFrom(1, 2, 20, 63, 120, 190),
      after: fc.constantFrom('', ' ', ...known.words),
    })
    .map(({ before, piece, times, after }) => `${before}${piece.join('').repeat(times)}`.slice(0, 190) + after);

const HOSTILE_VALUE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXT),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(null, true, false, 0, -0, -1, 1e308, 5e-324, 2 ** 53, -(2 ** 63), 0.1 + 0.2),
  fc.double(),
  fc.constantFrom([], {}, [[]], [null], { $ne: 1 }, { toString: 'x' }, { length: 1e9 }),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 50 }),
  fc.nat(60).map((depth) => {
    let value: unknown = 'deep';
    for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  }),
);

/** A value that a schema takes, as far as that can be read from it. */
const fitting = (name: string, schema: Schema, known: Known): fc.Arbitrary<unknown> => {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => fitting(name, one, known)));
  switch (schema.type) {
    case 'string':
      if (/email/i.test(name)) return fc.constantFrom(...known.emails);
      if (/image|photo/i.test(name)) return fc.constantFrom('', 'https://images.example/a.jpg');
      if (/price/i.test(name)) return fc.constantFrom('7.50', '18', '0.5', '99999.99');
      if (/limit/.test(name)) return fc.integer({ min: 1, max: 100 }).map(String);
      if (/0-9a-f/i.test(schema.pattern ?? '')) return fc.constantFrom(...known.ids);
      if (schema.pattern?.includes('\\d') === true) return fc.integer({ min: 1, max: 2_000 }).map(String);
      if (/condition/.test(name)) return fc.constantFrom('Excellent', 'Good', 'Fair');
      return fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom(...known.words) },
        { weight: 2, arbitrary: fc.string({ maxLength: Math.min(20, schema.maxLength ?? 20) }) },
        { weight: 1, arbitrary: changingText(known).map((text) => text.slice(0, schema.maxLength)) },
      );
    case 'number':
      return fc.constantFrom(7.5, 0.5, 18, 3);
    case 'integer':
      return fc.integer({ min: 0, max: 3_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(schema.items === undefined ? fc.constant(null) : fitting(name, schema.items, known), {
        maxLength: 3,
      });
    case 'object':
      return objectOf(schema, known, 0);
    default:
      return fc.constant(null);
  }
};

/**
 * An object of a schema; each of `spoilt` in a hundred of its values is something else, and some are missing or too
 * many.
 */
const objectOf = (schema: Schema, known: Known, spoilt: number): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [
          name,
          fc.oneof(
            { weight: 100 - spoilt, arbitrary: fitting(name, part, known) },
            { weight: spoilt, arbitrary: HOSTILE_VALUE },
          ),
        ]),
      ),
      { requiredKeys: spoilt > 0 ? [] : [...(schema.required ?? [])] },
    )
    .chain((object) =>
      spoilt === 0
        ? fc.constant(object)
        : fc
            .dictionary(
              fc.constantFrom('role', 'isAdmin', 'paid', 'status', '_id', 'constructor', 'a\0b', ''),
              HOSTILE_VALUE,
              { maxKeys: 2 },
            )
            .map((more) => ({ ...object, ...more })),
    );

/** JSON as text, with what JSON.stringify never writes. */
const bodyText = (schema: Schema, known: Known): fc.Arbitrary<string | Uint8Array> => {
  const first = Object.keys(schema.properties ?? {})[0] ?? 'a';
  const good = objectOf(schema, known, 0).map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 10, arbitrary: good },
    { weight: 10, arbitrary: objectOf(schema, known, 15).map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: HOSTILE_VALUE.map((value) => JSON.stringify(value) ?? '') },
    { weight: 2, arbitrary: good.map((text) => text.replace(/\}$/, `,"${first}":"again","${first}":{}}`)) },
    { weight: 1, arbitrary: good.map((text) => text.replace('{', '{"__proto__":{"isAdmin":true,"paid":true},')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(`{"${first}":1e999}`, `{"${first}":-1e999}`, `{"${first}":${'9'.repeat(400)}}`),
    },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 100, max: 20_000 })
        .map((depth) => `{"${first}":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '{',
        '"',
        '\uFEFF{}',
        'null',
        '[]',
        '{"a":}',
        'a=b&c=d',
        `{"${first}":"${'a'.repeat(120_000)}"}`,
      ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 60 }) },
  );
};

const ODD_ENCODING = ['%00', '%zz', '%', '%ED%A0%80', '%C0%AE', '%2e%2e%2f', '%0d%0aX:%20y', '%FF'];

const encoded = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).slice(0, 3_000);
};

const inAddress = (name: string, schema: Schema, known: Known): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fitting(name, schema, known).map(encoded) },
    { weight: 2, arbitrary: HOSTILE_VALUE.map(encoded) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_ENCODING) },
  );

const queryOf = (parameters: readonly Parameter[], known: Known): fc.Arbitrary<string> => {
  const parts = parameters.map(({ name, schema, required }) =>
    fc.tuple(fc.nat(9), inAddress(name, schema, known)).map(([chance, value]) => {
      if (chance === 0) return `${name}=${value}&${name}=again`;
      if (chance === 1) return `${name}[]=${value}`;
      return required === true ? (chance === 2 ? '' : `${name}=${value}`) : chance < 6 ? `${name}=${value}` : '';
    }),
  );
  return fc
    .tuple(fc.constantFrom('', '', '', '', '__proto__[x]=1', 'a=%zz', '&&=&'), ...parts)
    .map((all) => all.filter((part) => part !== '').join('&'));
};

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json\t;;' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { accept: 'application/xml;q=x' },
  { 'accept-encoding': 'br;q=9999, *;q=-1, , ;' },
  { 'if-none-match': '*' },
  { 'if-none-match': '"\xFF", W/' },
  { range: 'bytes=0-0,5-,-9' },
  { 'idempotency-key': 'k'.repeat(5_000) },
  { 'idempotency-key': '\xFF\xFE' },
  { 'x-forwarded-for': "127.0.0.1, ' OR 1=1 --", 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'evil.example' },
  { 'user-agent': 'a'.repeat(8_000) },
  { 'user-agent': '\xFF\xFE' },
  { cookie: 'dogear=%00%zz; dogear=x; =; __proto__=1' },
  { cookie: 'dogear='.padEnd(6_000, 'a') },
  { authorization: 'Bearer ' },
  { authorization: `Bearer ${'a.'.repeat(3_000)}` },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' },
  { authorization: 'Basic YTpi' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { 'x-http-method-override': 'DELETE' },
  { expect: 'something' },
];

/** Any request to one of the operations. */
export const aRequest = (operations: readonly Operation[], known: Known): fc.Arbitrary<MadeRequest> =>
  fc.constantFrom(...operations).chain((operation) => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
    return fc
      .tuple(
        fc.tuple(...inPath.map(({ name, schema }) => inAddress(name, schema, known))),
        queryOf(inQuery, known),
        fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constantFrom(...ODD_HEADERS) }),
        operation.body === undefined ? fc.constant(undefined) : bodyText(operation.body, known),
      )
      .map(([values, query, odd, body]) => {
        const path = inPath.reduce(
          (address, { name }, place) => address.replace(`{${name}}`, () => values[place] ?? ''),
          operation.path,
        );
        const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...odd };
        return { operation, target: query === '' ? path : `${path}?${query}`, headers, body };
      });
  });
