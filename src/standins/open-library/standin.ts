import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer } from '#standins/close-server.ts';
import { nineOf, readCatalogue, type Entry } from './catalogue.ts';

/** What goes wrong at the next calls: nothing, no answer, errors of its own, too many calls, half an answer. */
export const FAULTS = ['none', 'silent', 'down', 'too-many', 'garbage', 'elsewhere'] as const;
export type Fault = (typeof FAULTS)[number];

export interface OpenLibraryStandin {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** When each call was made, in ms. */
  readonly calls: readonly number[];
  fail(fault: Fault): void;
  /** Listens on 127.0.0.1 (0 picks a free port) and resolves with the port. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const SILENCE_MS = 60_000;
/** Calls that are remembered. */
const MOST_CALLS = 10_000;

const json = (body: object): Reply => ({ status: 200, body: JSON.stringify(body) });

const authorsOf = ({ authors }: Entry) => authors.map((name, n) => ({ key: `/authors/OL${n + 1}A`, name }));

/** The edition's record as the API's `details` have it. */
const detailsOf = (nine: string, entry: Entry): object => ({
  key: `/books/OL${nine}M`,
  type: { key: '/type/edition' },
  title: entry.title,
  works: [{ key: `/works/OL${nine}W` }],
  ...(entry.year !== '' && { publish_date: entry.year }),
  ...(entry.language !== '' && { languages: [{ key: `/languages/${entry.language}` }] }),
  ...(!entry.isNamedAtWork && { authors: authorsOf(entry) }),
});

/**
 * A stand-in for the Books API of Open Library: `/api/books?bibkeys=ISBN:…&jscmd=details|data&format=json` for one
 * ISBN. Like it, it refuses whoever does not say how they are reached. `POST /faults?next=…` has calls go wrong.
 */
export const createOpenLibraryStandin = (options: { log?: (message: string) => void } = {}): OpenLibraryStandin => {
  const catalogue = readCatalogue();
  const closing = new AbortController();
  const calls: number[] = [];
  let fault: Fault = 'none';

  const books = (url: URL): Reply => {
    const key = url.searchParams.get('bibkeys') ?? '';
    const [, isbn = ''] = /^ISBN:(\d{13}|\d{9}[\dX])$/.exec(key) ?? [];
    const entry = catalogue.get(nineOf(isbn));
    if (entry === undefined) return json({});
    if (url.searchParams.get('jscmd') === 'data')
      return json({ [key]: { title: entry.title, authors: authorsOf(entry).map(({ name }) => ({ name })) } });
    return json({ [key]: { bib_key: key, preview: 'noview', details: detailsOf(nineOf(isbn), entry) } });
  };

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? '/', 'http://standin');
    if (request.method === 'POST' && url.pathname === '/faults') {
      const next = FAULTS.find((known) => known === url.searchParams.get('next'));
      if (next === undefined) return { status: 400, body: `One of ${FAULTS.join(', ')}.` };
      fault = next;
      return { status: 200, body: next };
    }
    if (request.method !== 'GET' || url.pathname !== '/api/books') return { status: 404, body: 'Not found.' };
    calls.push(Date.now());
    if (calls.length > MOST_CALLS) calls.shift();
    if (!/\([^()]*(@|https:\/\/)[^()]*\)/.test(request.headers['user-agent'] ?? ''))
      return { status: 403, body: 'Say in your User-Agent how you are reached.' };
    if (fault === 'silent') await sleep(SILENCE_MS, undefined, { signal: closing.signal });
    if (fault === 'down') return { status: 503, body: 'Internal Server Error' };
    if (fault === 'too-many') return { status: 429, body: 'Too Many Requests' };
    if (fault === 'elsewhere') return { status: 302, body: '', headers: { Location: 'http://169.254.169.254/' } };
    const whole = books(url);
    return fault === 'garbage' ? { ...whole, body: `<html>${whole.body.slice(0, 20)}` } : whole;
  };

  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    answer(request)
      .then(({ status, body, headers }) => {
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
        response.end(body);
      })
      .catch((error: unknown) => {
        if (!closing.signal.aborted) options.log?.(`The Open Library stand-in failed: ${String(error)}`);
        response.destroy();
      });
  };

  const servers: Server[] = [];
  return {
    handler,
    calls,
    fail: (next) => {
      fault = next;
    },
    listen: (port) =>
      new Promise((resolve, reject) => {
        const server = createServer(handler);
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => {
          servers.push(server);
          const address = server.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    close: async () => {
      closing.abort();
      await Promise.all(servers.map(closeServer));
    },
  };
};
