import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiDeps, createApi } from './api.ts';
import { browserScript } from '#standins/stripe/browser-script.ts';
import { createControl } from '#standins/stripe/control.ts';
import { randomText } from './ids.ts';
import { createConnectPages } from '#standins/stripe/connect/pages.ts';
import type { DoDeed } from '#standins/stripe/store/deeds.ts';
import { homePage, PAGE_POLICY } from '#standins/stripe/page.ts';

// Far above any call the SDK or a browser makes.
const MAX_BODY_BYTES = 256 * 1024;

const SHARED_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
  cut?: boolean;
}

/**
 * The stand-in's whole surface as a plain Node request handler: `/`, `/stripe.js`, `/v1/…` and the control API. It
 * never throws.
 */
export function createHandler(deps: ApiDeps & { doDeed: DoDeed }) {
  const api = createApi(deps);
  const pageToken = randomText(24);
  const pages = createConnectPages({ store: deps.store, doDeed: deps.doDeed });
  const control = createControl({ secretKey: deps.keys.secretKey, faults: deps.faults, doDeed: deps.doDeed });

  async function reply(request: IncomingMessage): Promise<Reply> {
    const url = readUrl(request);
    if (url === undefined) return plain(400, 'Bad request.');
    if (/^\/v[12]\//.test(url.pathname)) {
      const body = await readBody(request);
      if (body === undefined) return tooLarge();
      const answer = await api.answer(request, url, body);
      const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...answer.headers };
      return { ...answer, headers };
    }
    if (url.pathname !== '/' && url.pathname !== '/stripe.js') {
      const body = await readBody(request);
      if (body === undefined) return tooLarge();
      const { method = '', headers } = request;
      const told = await control.answer(method, url.pathname, headers.authorization ?? '', body);
      if (told !== undefined) return json(told.status, told.body);
      if (url.pathname === '/deeds' && method === 'POST') return pressed(request, body);
      const shown = await pages.answer(method, url.pathname, body);
      if (shown !== undefined) return shown;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return plain(405, 'Only GET here.', { Allow: 'GET, HEAD' });
    if (url.pathname === '/stripe.js') return script(request);
    if (url.pathname !== '/') return plain(404, 'Not found.');
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': PAGE_POLICY,
        'Cache-Control': 'no-store',
      },
      body: homePage(deps.store, { action: `${prefixOf(request)}/deeds`, token: pageToken }),
    };
  }

  /** A button of the page, which no other site's page can press: it does not know the token. */
  async function pressed(request: IncomingMessage, body: string): Promise<Reply> {
    const form = new URLSearchParams(body);
    if (form.get('token') !== pageToken) return plain(403, 'Open the page anew: this one is of an earlier start.');
    const { status, body: answer } = await control.byButton(form.get('deed') ?? '');
    if (status !== 200) return json(status, answer);
    return { status: 303, headers: { Location: `${prefixOf(request)}/`, 'Cache-Control': 'no-store' }, body: '' };
  }

  return function handler(request: IncomingMessage, response: ServerResponse): void {
    reply(request)
      .catch((error: unknown) => {
        // A caller who hung up half way is no failure of ours.
        if (!request.destroyed || request.complete)
          deps.log(`The Stripe stand-in failed: ${error instanceof Error ? error.stack : 'unknown'}`);
        return json(500, { error: { type: 'api_error', message: 'The Stripe stand-in failed.' } });
      })
      .then(({ status, headers, body, cut }) => {
        if (response.destroyed || response.headersSent) return;
        if (cut === true) return void response.destroy();
        const bytes = Buffer.from(body);
        response.writeHead(status, { ...SHARED_HEADERS, ...headers, 'Content-Length': String(bytes.length) });
        response.end(request.method === 'HEAD' ? undefined : bytes);
        // An unread body would be taken for the next request on this connection.
        if (!request.complete) request.resume();
      })
      .catch((error: unknown) => {
        deps.log(`The Stripe stand-in could not answer: ${String(error)}`);
        response.destroy();
      });
  };
}

/** The path below which a shop shows this stand-in. */
function prefixOf({ headers }: IncomingMessage): string {
  const prefix = headers['x-forwarded-prefix'];
  return typeof prefix === 'string' && /^(\/[\w-]+)*$/.test(prefix) ? prefix : '';
}

function tooLarge(): Reply {
  const refused = json(413, { error: { type: 'invalid_request_error', message: 'Request too large.' } });
  return { ...refused, headers: { ...refused.headers, Connection: 'close' } };
}

function readUrl(request: IncomingMessage): URL | undefined {
  const target = request.url ?? '';
  return target.startsWith('/')
    ? (URL.parse(target.replace(/^\/+/, '/'), 'http://standin.invalid') ?? undefined)
    : undefined;
}

/** The body as text, or undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving this loop early must not destroy the connection: the refusal has to travel back on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function script(request: IncomingMessage): Reply {
  const { body, etag } = browserScript();
  const headers = { 'Cache-Control': 'public, max-age=0, must-revalidate', ETag: etag };
  if (request.headers['if-none-match'] === etag) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }, body };
}

function plain(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
    body,
  };
}

function json(status: number, body: object): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify(body, null, 2),
  };
}
