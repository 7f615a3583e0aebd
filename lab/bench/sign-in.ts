// npm run bench:sign-in -w lab: whether the time of a refused sign-in tells who has an account, and whether many
// sign-ins at once slow down those who only browse. See docs/identity.md.
import { DEMO_ACCOUNTS } from '#db/seed/demo-accounts.ts';
import { openDemoShop } from './demo-shop.ts';

/** Refused sign-ins of each kind; taken in turns, so that whatever else the machine does falls on both alike. */
const ROUNDS = 300;
const WARM_UP = 20;
/** How far apart the medians may be (docs/identity.md). */
const APART_MS = 5;
const PARALLEL = 200;
/** What browsing may take meanwhile, at its slowest hundredth. */
const BROWSING_P99_MS = 500;

const post = async (url: string, path: string, body: unknown): Promise<{ ms: number; status: number }> => {
  const startedAt = performance.now();
  const answer = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.text();
  return { ms: performance.now() - startedAt, status: answer.status };
};

const get = async (url: string): Promise<number> => {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { 'cache-control': 'no-cache' } });
  await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return performance.now() - startedAt;
};

const at = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Makes accounts to be guessed at: ten wrong passwords close the door of one, so each is used a few times only. */
const makeAccounts = async (url: string, count: number): Promise<string[]> => {
  const emails = Array.from({ length: count }, (_, n) => `bench${n}@example.com`);
  for (const email of emails) {
    const { status } = await post(url, '/auth/sign-up', { name: 'Bench', email, password: 'Right#1' });
    if (status !== 201) throw new Error(`no account: ${status}`);
  }
  return emails;
};

const TRIES_AN_ACCOUNT = 8;

/** The medians of a wrong password and of an address without an account. */
const compareRefusals = async (url: string): Promise<{ wrong: number[]; nobody: number[] }> => {
  const emails = await makeAccounts(url, Math.ceil((ROUNDS + WARM_UP) / TRIES_AN_ACCOUNT));
  const wrong: number[] = [];
  const nobody: number[] = [];
  const refused = async (email: string): Promise<number> => {
    const answer = await post(url, '/auth/sign-in', { email, password: 'Wrong#1' });
    if (answer.status !== 401) throw new Error(`a refused sign-in answered ${answer.status}`);
    return answer.ms;
  };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const account = emails[Math.floor(round / TRIES_AN_ACCOUNT)] ?? '';
    const stranger = account.replace('bench', 'nobdy');
    const inTurn = round % 2 === 0 ? [account, stranger] : [stranger, account];
    for (const email of inTurn) {
      const took = await refused(email);
      if (round >= WARM_UP) (email === account ? wrong : nobody).push(took);
    }
  }
  return { wrong, nobody };
};

/** The same two for somebody who asks for a new password, where no hash covers a difference. */
const compareForgot = async (url: string): Promise<{ account: number[]; nobody: number[] }> => {
  const account: number[] = [];
  const nobody: number[] = [];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    // Five links an hour and address: the sixth question is answered the same and costs the same, so both get as many.
    const n = Math.floor(round / TRIES_AN_ACCOUNT);
    const inTurn = [`bench${n}@example.com`, `nobdy${n}@example.com`];
    for (const email of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
      const { ms: took, status } = await post(url, '/auth/forgot', { email });
      if (status !== 202) throw new Error(`a question for a link answered ${status}`);
      if (round >= WARM_UP) (email.startsWith('bench') ? account : nobody).push(took);
    }
  }
  return { account, nobody };
};

const browse = async (url: string, until: Promise<unknown>): Promise<number[]> => {
  const times: number[] = [];
  let over = false;
  void until.finally(() => (over = true));
  const pages = ['/api/categories', '/api/category/fantasy', '/api/categoryName', '/'];
  const reader = async (from: number): Promise<void> => {
    for (let n = from; !over; n += 1) times.push(await get(`${url}${pages[n % pages.length]}`));
  };
  await Promise.all([reader(0), reader(1), reader(2), reader(3)]);
  return times;
};

const signInTogether = async (url: string): Promise<{ statuses: Map<number, number>; seconds: number }> => {
  const [account] = DEMO_ACCOUNTS;
  if (account === undefined) throw new Error('a demo shop has accounts');
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: PARALLEL }, (_, n) => {
      // One person's passwords are checked one after the other: half of the crowd are strangers.
      const isStranger = n % 2 === 1;
      return post(url, '/auth/sign-in', {
        email: isStranger ? `stranger${n}@example.com` : account.email,
        password: account.password,
      });
    }),
  );
  const statuses = new Map<number, number>();
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return { statuses, seconds: (performance.now() - startedAt) / 1_000 };
};

const shop = await openDemoShop();
const problems: string[] = [];
try {
  const { wrong, nobody } = await compareRefusals(shop.url);
  const apart = Math.abs(at(wrong, 0.5) - at(nobody, 0.5));
  console.log(`refused sign-ins, ${ROUNDS} of each, in turns`);
  console.log(`  wrong password   median ${ms(at(wrong, 0.5))}  p95 ${ms(at(wrong, 0.95))}`);
  console.log(`  no such account  median ${ms(at(nobody, 0.5))}  p95 ${ms(at(nobody, 0.95))}`);
  console.log(`  medians apart    ${ms(apart)} (bar ${APART_MS} ms)`);
  if (apart > APART_MS) problems.push('the time of a refused sign-in tells who has an account');

  const forgot = await compareForgot(shop.url);
  const forgotApart = Math.abs(at(forgot.account, 0.5) - at(forgot.nobody, 0.5));
  console.log(`asking for a new password, ${ROUNDS} of each, in turns`);
  console.log(`  an account       median ${ms(at(forgot.account, 0.5))}  p95 ${ms(at(forgot.account, 0.95))}`);
  console.log(`  no such account  median ${ms(at(forgot.nobody, 0.5))}  p95 ${ms(at(forgot.nobody, 0.95))}`);
  console.log(`  medians apart    ${ms(forgotApart)} (bar ${APART_MS} ms)`);
  if (forgotApart > APART_MS) problems.push('the time of asking for a new password tells who has an account');

  const alone = await browse(shop.url, new Promise((resolve) => setTimeout(resolve, 5_000)));
  const crowd = signInTogether(shop.url);
  const crowded = await browse(shop.url, crowd);
  const { statuses, seconds } = await crowd;
  console.log(`browsing, four readers`);
  console.log(`  alone            median ${ms(at(alone, 0.5))}  p99 ${ms(at(alone, 0.99))}  (${alone.length} pages)`);
  console.log(
    `  beside ${PARALLEL} sign-ins at once, all answered after ${seconds.toFixed(1)} s (${[...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')})`,
  );
  console.log(
    `                   median ${ms(at(crowded, 0.5))}  p99 ${ms(at(crowded, 0.99))}  (${crowded.length} pages, bar ${BROWSING_P99_MS} ms)`,
  );
  if (at(crowded, 0.99) > BROWSING_P99_MS) problems.push('browsing waits for people who sign in');
} finally {
  await shop.close();
}
for (const problem of problems) console.error(`Not met: ${problem}.`);
process.exitCode = problems.length === 0 ? 0 : 1;
