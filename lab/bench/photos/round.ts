// Browsing alone, then beside a seller's photos.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_ACCOUNTS } from '#db/seed/demo-accounts.ts';
import { percentilesOf, type Percentiles } from '#lab/bench/percentiles.ts';
import { watchMaker } from './maker-memory.ts';

export interface Round {
  readonly before: Percentiles;
  readonly during: Percentiles;
  readonly uploadMs: number;
  /** In MB; 0 where the system does not tell. */
  readonly makerPeak: number;
}

const VISITORS = 4;
const PAUSE_MS = 60;
const ALONE_MS = 12_000;
const SETTLE_MS = 2_000;
const WARM_MS = 3_000;
const LIMIT_MS = 300_000;

const pathsOf = async (url: string): Promise<string[]> => {
  const listed = (await (await fetch(`${url}/api/categories?limit=20`)).json()) as { _id: string }[];
  return listed.flatMap(({ _id }) => ['/', '/category/fantasy', `/book/${_id}`, '/search?q=the']);
};

/** Visits until it is told to stop; answers how long each took. */
const browse = async (url: string, stop: AbortSignal): Promise<number[]> => {
  const paths = await pathsOf(url);
  const times: number[] = [];
  const visit = async (visitor: number): Promise<void> => {
    for (let at = visitor * 5; !stop.aborted; at += 1) {
      const began = performance.now();
      const answer = await fetch(`${url}${paths[at % paths.length]}`);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`A visitor was answered ${answer.status}.`);
      times.push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, (_, visitor) => visit(visitor)));
  return times;
};

const browseFor = async (url: string, ms: number): Promise<number[]> => browse(url, AbortSignal.timeout(ms));

const signIn = async (url: string): Promise<string> => {
  const { email = '', password = '' } = DEMO_ACCOUNTS.find(({ label }) => label === 'Seller') ?? {};
  const answer = await fetch(`${url}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(`The seller could not sign in: ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const issued = await fetch(`${url}/api/jwt?email=${encodeURIComponent(email)}`, { headers: { cookie } });
  const { accessToken } = (await issued.json()) as { accessToken?: string };
  if (accessToken === undefined) throw new Error(`The seller got no token: ${issued.status}.`);
  return accessToken;
};

/** Sends one picture, again where the shop says that it is too much at once, as the pages do. */
const send = async (url: string, token: string, bytes: Buffer): Promise<void> => {
  const id = randomUUID();
  const digest = createHash('sha256').update(bytes).digest('base64');
  for (const deadline = Date.now() + LIMIT_MS; ;) {
    const answer = await fetch(`${url}/api/photos/${id}`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'image/jpeg',
        'content-digest': `sha-256=:${digest}:`,
      },
      body: new Uint8Array(bytes),
    });
    const text = await answer.text();
    if (answer.ok) return;
    if (answer.status !== 503 || Date.now() > deadline) throw new Error(`A photo was not taken: ${text}`);
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
  }
};

/** One round of both: first alone, then while the pictures are sent and made. */
export const measureRound = async (
  shop: { readonly url: string; readonly pid: number },
  pictures: readonly Buffer[],
): Promise<Round> => {
  const { url, pid } = shop;
  const token = await signIn(url);
  await browseFor(url, WARM_MS);
  const before = percentilesOf(await browseFor(url, ALONE_MS));
  await sleep(SETTLE_MS);
  const stop = new AbortController();
  const maker = watchMaker(pid);
  const visits = browse(url, stop.signal);
  const startedAt = performance.now();
  let uploadMs: number;
  try {
    await Promise.all(pictures.map((bytes) => send(url, token, bytes)));
    uploadMs = performance.now() - startedAt;
  } finally {
    stop.abort();
  }
  const during = percentilesOf(await visits);
  return { before, during, uploadMs, makerPeak: await maker.end() };
};
