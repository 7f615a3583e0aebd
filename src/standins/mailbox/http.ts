import type { IncomingMessage, ServerResponse } from 'node:http';
import { listPage, mailHtml, mailPage, MAIL_POLICY, PAGE_POLICY } from './page.ts';
import type { MailStore } from './store.ts';

const SHARED_HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Links in a mail open accounts; where they lead learns nothing of the page they stood on.
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly policy: string;
  readonly body: string;
}

const html = (body: string, policy = PAGE_POLICY): Reply => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  policy,
  body,
});

const plain = (status: number, body: string): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  policy: "default-src 'none'; frame-ancestors 'none'",
  body,
});

/** Where the pages are shown: whoever passes requests on says so, by a path and nothing else. */
const baseOf = (request: IncomingMessage): string => {
  const prefix = request.headers['x-forwarded-prefix'];
  return typeof prefix === 'string' && /^(\/[a-z-]+)+$/.test(prefix) ? prefix : '';
};

const answer = (request: IncomingMessage, store: MailStore, smtpUrl: () => string): Reply => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only GET here.');
  const [path = ''] = (request.url ?? '').split('?', 1);
  if (path === '/') return html(listPage(store.newestFirst(), baseOf(request)));
  if (path === '/address') return plain(200, smtpUrl());
  if (path === '/mails') return { ...plain(200, JSON.stringify(store.newestFirst())), type: 'application/json' };
  const [, id = '', raw] = /^\/mail\/([0-9a-f-]{36})(\/html)?$/.exec(path) ?? [];
  const mail = store.find(id);
  if (mail === undefined) return plain(404, 'There is no such mail here.');
  return raw === undefined ? html(mailPage(mail, baseOf(request))) : html(mailHtml(mail), MAIL_POLICY);
};

/**
 * The mailbox's pages as a plain Node request handler: `/`, `/mail/{id}`, `/mail/{id}/html`,
 * `/mails` as JSON, the newest first, and `/address`, where it takes mail.
 */
export const createPages =
  (store: MailStore, smtpUrl: () => string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { status, type, policy, body } = answer(request, store, smtpUrl);
    const bytes = Buffer.from(body);
    response.writeHead(status, {
      ...SHARED_HEADERS,
      'Content-Security-Policy': policy,
      'Content-Type': type,
      'Content-Length': String(bytes.length),
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    if (!request.complete) request.resume();
  };
