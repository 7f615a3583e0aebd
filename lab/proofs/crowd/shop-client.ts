import type { Person } from './people.ts';

/** How a request ended as its sender sees it; `lost` when no answer came, `unsent` when it cannot have arrived. */
export interface Reply {
  readonly status: number | 'lost' | 'unsent';
  readonly body: Record<string, unknown>;
}

export type ShopClient = ReturnType<typeof createShopClient>;

const TIMEOUT_MS = 20_000;
const TOKEN_LASTS_MS = 300_000;
const NOBODY_HOME_MS = 50;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const codeOf = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
};

/** People's requests to whichever app runs, with an access token fetched by their session cookie. */
export const createShopClient = (doorOfAnApp: () => string | undefined) => {
  const tokens = new Map<string, { token: string; until: number }>();

  const send = async (method: string, path: string, headers: Record<string, string>, body?: object): Promise<Reply> => {
    const door = doorOfAnApp();
    if (door === undefined) {
      await sleep(NOBODY_HOME_MS);
      return { status: 'unsent', body: {} };
    }
    try {
      const answer = await fetch(`${door}/api${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    } catch (error) {
      return { status: codeOf(error) === 'ECONNREFUSED' ? 'unsent' : 'lost', body: {} };
    }
  };

  const tokenOf = async (person: Person): Promise<string | undefined> => {
    const known = tokens.get(person.id);
    if (known !== undefined && known.until > performance.now()) return known.token;
    const reply = await send('GET', `/jwt?email=${encodeURIComponent(person.email)}`, { cookie: person.cookie });
    const token = reply.body['accessToken'];
    if (reply.status !== 200 || typeof token !== 'string') return undefined;
    tokens.set(person.id, { token, until: performance.now() + TOKEN_LASTS_MS });
    return token;
  };

  return {
    /** One request, tried once. */
    call: async (
      person: Person,
      method: 'DELETE' | 'GET' | 'POST' | 'PUT',
      path: string,
      body?: object,
      idempotencyKey?: string,
    ): Promise<Reply> => {
      const token = await tokenOf(person);
      if (token === undefined) return { status: 'unsent', body: {} };
      const headers = { authorization: `Bearer ${token}` };
      return send(
        method,
        path,
        { ...headers, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
        body,
      );
    },
    /** Fetches everybody's token, so that it does not count among what comes. */
    signIn: async (people: readonly Person[]): Promise<void> => {
      for (const person of people) {
        while ((await tokenOf(person)) === undefined) await sleep(NOBODY_HOME_MS);
      }
    },
  };
};
