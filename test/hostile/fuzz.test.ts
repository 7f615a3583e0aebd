import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Compile } from 'typebox/schema';
import { ErrorBody } from '#contract/errors.ts';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aCategory, aListing, aUser, type TestUser } from '#test/make.ts';
import { aSale } from '#test/deal.ts';
import { aRequest, operationsOf, type Known, type MadeRequest, type OpenApi, type Operation } from './requests.ts';

const long = process.env['DOGEAR_TEST_LONG'] === '1';
const REQUESTS = long ? 100_000 : 3_000;
const LANES = 2;
/** Somebody's session ends when a request happens to end it: everybody comes anew after so many. */
const BATCH = 500;

/**
 * Of one buyer and one seller who make no request; nobody else may see any of it. No request may be given any of it to
 * store, or whoever stored it would be shown their own and be taken for somebody who saw what is another's.
 */
const CANARY = {
  buyerName: 'Quillfeather Umbrage',
  buyerEmail: 'quillfeatherumbrage@secrets.com',
  buyerPhone: '+44 7700 900461',
  buyerPlace: 'Canaryville-under-Lyme',
  sellerEmail: 'marrowbypinch@secrets.com',
  sellerPhone: '+44 7700 900987',
};

let t: TestApp;
let url: URL;
let operations: Operation[];
let known: Known;
const agent = new Agent({ keepAlive: true, maxSockets: LANES });

beforeAll(async () => {
  t = await testApp();
  url = new URL(await t.listen());
  const { buyerName, buyerEmail, sellerEmail, sellerPhone, buyerPhone, buyerPlace } = CANARY;
  const buyer = await aUser(t, { roles: ['buyer'], email: buyerEmail, name: buyerName });
  const seller = await aUser(t, { roles: ['seller'], email: sellerEmail, name: 'Marrowby' });
  const category = await aCategory(t, seller);
  const copies = [];
  for (let count = 0; count < 3; count += 1) {
    copies.push(await aListing(t, seller, { category_id: category, phone: sellerPhone }));
  }
  const [held, free] = copies;
  if (held === undefined || free === undefined) throw new Error('no copies');
  const draft = { ...aBookingDraft(buyer, held), phone: buyerPhone, location: buyerPlace };
  const booked = await t.call(bookCopy, { body: draft }, { as: buyer });
  const sale = await aSale(t, { buyer, seller, category });
  const document = (await t.send('GET', '/api/openapi.json')).json() as OpenApi;
  operations = operationsOf(document);
  known = {
    ids: [...copies.map(({ _id }) => _id), booked.body.insertedId, sale.bookingId, category],
    // Searching for a name minds no capitals, and what is looked for in answers does.
    words: [category, 'Darkness', 'left hand', buyerName.toLowerCase(), 'google', 'newest'],
    emails: [buyerEmail, sellerEmail, 'nobody@example.com'],
  };
});
afterAll(async () => {
  agent.destroy();
  await t.close();
});

interface Caller {
  readonly role: 'nobody' | 'buyer' | 'seller' | 'admin';
  readonly user: TestUser | undefined;
}

const callersAnew = async (): Promise<Caller[]> => [
  { role: 'nobody', user: undefined },
  { role: 'buyer', user: await aUser(t, { roles: ['buyer'] }) },
  { role: 'seller', user: await aUser(t, { roles: ['seller'] }) },
  { role: 'admin', user: await aUser(t, { roles: ['admin', 'buyer'] }) },
];

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers: string;
}

/** What is in an answer; of an archive, what is in its files. */
const textOf = (bytes: Buffer, type: string): string =>
  type === 'application/zip'
    ? Object.values(unzipSync(bytes))
        .map((file) => Buffer.from(file).toString())
        .join('\n')
    : bytes.toString();

const send = ({ operation, target, headers, body }: MadeRequest, { user }: Caller): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const proof =
      user === undefined
        ? {}
        : { authorization: `Bearer ${user.accessToken}`, cookie: user.cookie, origin: t.config.publicUrl };
    // A body that is there on a connection that goes on needs its length.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const asked = httpRequest(
      {
        agent,
        host: url.hostname,
        port: url.port,
        method: operation.method,
        path: target,
        headers: { ...proof, ...length, ...headers },
      },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            type: String(answer.headers['content-type'] ?? ''),
            text: textOf(Buffer.concat(parts), String(answer.headers['content-type'])),
            headers: JSON.stringify(answer.headers),
          }),
        );
        answer.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });

const refusal = Compile(ErrorBody);
const compiled = new Map<object, { Check(value: unknown): boolean }>();
const fits = (schema: object, value: unknown): boolean => {
  const check = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, check);
  return check.Check(value);
};

const exampleOf = ({ target, headers, body }: MadeRequest, { role }: Caller, { status, text }: Answer): string =>
  `${role}: ${target} ${JSON.stringify(headers)} ${String(body).slice(0, 500)} -> ${status} ${text.slice(0, 300)}`;

/** What is wrong with an answer, if anything. */
const wrongWith = (made: MadeRequest, caller: Caller, answer: Answer): string | undefined => {
  const { status, type, text } = answer;
  if (status >= 500) return `${status}`;
  const { answers } = made.operation;
  if (status === 304 || status === 204 || status === 303)
    return text === '' ? undefined : 'an answer that should be empty';
  if (status < 300) {
    const documented = answers.get(status);
    if (documented === undefined || Object.keys(documented).length === 0) return `${status} is not documented`;
    const [name = ''] = type.split(';');
    const answered = documented[name];
    if (answered === undefined) return `the type ${type}`;
    if (name === 'application/json' && !fits(answered.schema, JSON.parse(text))) return 'does not fit its schema';
  } else if (type !== 'application/json; charset=utf-8' || !refusal.Check(JSON.parse(text))) {
    return 'a refusal of another shape';
  }
  // Admins see people, and how the books are checked; whoever sends something may be told it.
  if (caller.role === 'admin') return undefined;
  if (/node_modules|\.ts:\d+|SELECT |\bat .*:\d+:\d+/.test(text)) return 'shows the inside';
  const said = `${made.target}${typeof made.body === 'string' ? made.body : ''}`;
  for (const [name, secret] of Object.entries(CANARY)) {
    // Sellers see what they said themselves.
    if (name.startsWith('seller') && caller.role === 'seller') continue;
    if (
      `${text}${answer.headers}`.includes(secret) &&
      !said.includes(secret) &&
      !said.includes(encodeURIComponent(secret))
    ) {
      return `shows ${name}`;
    }
  }
  return undefined;
};

test('whoever takes a name that requests know is shown their own, and is not taken for somebody who sees what is another’s', async () => {
  for (const word of known.words) for (const secret of Object.values(CANARY)) expect(word).not.toContain(secret);
  const [, , seller] = await callersAnew();
  if (seller === undefined) throw new Error('no seller');
  const operation = (name: string): Operation => {
    const found = operations.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const request = (name: string, body?: string): MadeRequest => ({
    operation: operation(name),
    target: name.split(' ')[1] ?? '',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body,
  });
  for (const name of known.words) {
    const renamed = await send(request('PATCH /api/account', JSON.stringify({ name })), seller);
    expect(renamed.status).toBeLessThan(300);
    for (const shown of ['GET /api/account', 'GET /api/account/export', 'GET /api/auth/session']) {
      const made = request(shown);
      const answer = await send(made, seller);
      expect(answer.text).toContain(name);
      expect(wrongWith(made, seller, answer)).toBeUndefined();
      const leaking = { ...answer, text: answer.text.replaceAll(name, CANARY.buyerName) };
      expect(wrongWith(made, seller, leaking)).toBe('shows buyerName');
    }
  }
});

test(`${REQUESTS.toLocaleString('en-US')} requests made up from the document meet no defect, no undocumented answer and nothing of anybody else`, async () => {
  const reached = new Map<string, number>();
  /** One example of each kind. */
  const problems = new Map<string, string>();
  let seed = fc.readConfigureGlobal().seed ?? Date.now();
  const lane = async (): Promise<void> => {
    for (let left = REQUESTS / LANES; left > 0; left -= BATCH) {
      const callers = await callersAnew();
      const arbitrary = fc.tuple(aRequest(operations, known), fc.constantFrom(...callers));
      const property = fc.asyncProperty(arbitrary, async ([made, caller]) => {
        const answer = await send(made, caller);
        if (answer.status < 400) reached.set(made.operation.name, (reached.get(made.operation.name) ?? 0) + 1);
        const wrong = wrongWith(made, caller, answer);
        if (wrong !== undefined) problems.set(`${wrong}: ${made.operation.name}`, exampleOf(made, caller, answer));
      });
      // Each batch has cases of its own, and the same ones in each run.
      seed += 1;
      await fc.assert(property, { numRuns: Math.min(BATCH, left), seed });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(Object.fromEntries(problems)).toEqual({});
  // What only ever meets refusals tests little.
  expect(reached.size).toBeGreaterThan(operations.length / 3);
  expect((await fetch(new URL('/api/categoryName', url))).status).toBe(200);
  // Whoever made no request still has what was theirs.
  const left = await t.db
    .selectFrom('users')
    .select('email')
    .where('deleted_at', 'is', null)
    .where('email', 'in', [CANARY.buyerEmail, CANARY.sellerEmail])
    .execute();
  expect(left).toHaveLength(2);
}, 3_600_000);
