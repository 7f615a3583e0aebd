import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMailboxStandin, type MailboxStandin } from './mailbox.ts';
import { openMailStore, type KeptMail } from './store.ts';

let folder: string;
let mailbox: MailboxStandin;
let page: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dogear-mailbox-'));
  mailbox = await createMailboxStandin({ file: join(folder, 'mailbox.sqlite') });
  page = `http://127.0.0.1:${await mailbox.listen(0)}`;
});
afterEach(async () => {
  await mailbox.close();
  await rm(folder, { recursive: true, force: true });
});

const send = (subject: string, more: { html?: string; text?: string } = {}): Promise<unknown> =>
  createTransport(mailbox.smtpUrl).sendMail({
    from: 'shop@books.example',
    to: { name: 'Ada <b>', address: 'ada@example.com' },
    subject,
    text: 'Open https://books.example/confirm#token=abc now',
    ...more,
  });
const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(page + path, { headers });

test('takes mail by SMTP and lists it, the newest first, saying what it is', async () => {
  expect(await (await get('/')).text()).toContain('No mail yet');
  await send('The first');
  await send('Tom & <Jerry>');
  const list = await (await get('/', { 'x-forwarded-prefix': '/standins/mailbox' })).text();
  expect(list.indexOf('Tom &amp; &lt;Jerry&gt;')).toBeLessThan(list.indexOf('The first'));
  expect(list).toContain("Dogear's stand-in");
  expect(list).toContain('none leaves this machine');
  expect(list).toContain(`href="/standins/mailbox/mail/${mailbox.mails()[0]?.id}"`);
  expect(await (await get('/address')).text()).toBe(mailbox.smtpUrl);
});

test('shows a mail: its links can be followed, what it says cannot do anything', async () => {
  await send('Evil', {
    html: '<html><head></head><body><script>alert(1)</script><img src="https://eve.example/p.gif"></body></html>',
  });
  const [mail] = mailbox.mails();
  const shown = await get(`/mail/${mail?.id}`);
  const text = await shown.text();
  expect(text).toContain(
    '<a href="https://books.example/confirm#token=abc">https://books.example/confirm#token=abc</a>',
  );
  expect(text).toContain('Ada &lt;b&gt;');
  expect(text).not.toContain('<script>');
  expect(text).toContain('sandbox="allow-top-navigation-by-user-activation"');
  const html = await get(`/mail/${mail?.id}/html`);
  const policy = html.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('img-src data:;');
  expect(policy).toContain('sandbox allow-top-navigation-by-user-activation');
  expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
  for (const answer of [shown, html]) {
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

test('answers nothing else', async () => {
  for (const path of [
    '/mail/',
    '/mail/none',
    `/mail/${'0'.repeat(36)}`,
    '/../mailbox.sqlite',
    '/mailbox.sqlite',
    '//',
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
  expect((await fetch(page, { method: 'POST' })).status).toBe(405);
  await send('One');
  const prefixed = await get('/', { 'x-forwarded-prefix': '"><script>' });
  expect(await prefixed.text()).toContain('href="/mail/');
});

test('refuses a mail that is too large, and goes on', async () => {
  await expect(send('Large', { text: 'x'.repeat(1_200_000) })).rejects.toThrow(/552|too large|size/i);
  await send('Small');
  expect(mailbox.mails().map(({ subject }) => subject)).toEqual(['Small']);
});

test('has its mail after a restart, readable for its owner only, and turns a second one on the same file away', async () => {
  await send('Kept');
  const file = join(folder, 'mailbox.sqlite');
  expect((await stat(file)).mode & 0o077).toBe(0);
  await expect(createMailboxStandin({ file })).rejects.toThrow('Another mailbox stand-in is already using');
  await mailbox.close();
  mailbox = await createMailboxStandin({ file });
  expect(mailbox.mails().map(({ subject }) => subject)).toEqual(['Kept']);
});

test('keeps the newest mail only, in its file too', async () => {
  const file = join(folder, 'bounded.sqlite');
  const aMail = (n: number): KeptMail => ({
    id: String(n),
    subject: `Mail ${n}`,
    from: '',
    to: '',
    messageId: '',
    text: 'x'.repeat(1_000),
    html: '',
    unsubscribe: '',
    receivedAt: '2026-01-01T00:00:00.000Z',
    recipients: [],
  });
  const store = openMailStore(file, 10);
  await Promise.all(Array.from({ length: 95 }, (_, n) => store.add(aMail(n))));
  expect(store.newestFirst().map(({ id }) => Number(id))).toEqual([94, 93, 92, 91, 90, 89, 88, 87, 86, 85]);
  await store.add(aMail(95));
  await store.close();
  expect((await stat(file)).size).toBeLessThan(40_000);
  const again = openMailStore(file, 10);
  expect(again.newestFirst().map(({ id }) => Number(id))).toEqual([95, 94, 93, 92, 91, 90, 89, 88, 87, 86]);
  await again.close();
});
