import { expect, test } from 'vitest';
import { htmlOf, linksOf, textOf, type Letter } from './letter.ts';
import { letterOf } from './letters.ts';
import type { MailData, MailKind } from './mails.ts';

const publicUrl = 'https://books.example';
const to = linksOf(publicUrl);
const at = '2026-11-21T08:05:00.000Z';
const copy = { title: 'Tom & "Jerry" <b>', priceCents: 1250 };
const bookingId = '7b0c6b3e-0000-4000-8000-000000000001';

const SAMPLES: { readonly [K in MailKind]: MailData[K] } = {
  welcome: { confirmToken: 'C0nfirm' },
  'confirm-again': { confirmToken: 'C0nfirm' },
  reset: { resetToken: 'R3set' },
  'password-changed': { at },
  'new-sign-in': { at, device: 'Firefox on Linux' },
  'booking-made': { ...copy, bookingId, heldUntil: at },
  'paid-receipt': { ...copy, bookingId, transactionId: 'pi_123', paidAt: at },
  sold: { ...copy, buyerName: 'Bo Buyer' },
  'seller-verified': {},
  'line-turn': { ...copy, bookingId, heldUntil: at },
  'hold-lapsed': { ...copy, bookingId },
  refunded: { ...copy, bookingId },
  'money-returned': { ...copy, bookingId },
  'line-over': { title: copy.title },
  dispute: { ...copy, bookingId, reason: 'fraudulent', state: 'open' },
};

const letters: [string, Letter][] = Object.entries(SAMPLES).map(([kind, data]) => [
  kind,
  letterOf(kind as MailKind, data as never, to),
]);

test.each(letters)('the mail %s says the same as text and as HTML, and links to the shop alone', (_kind, letter) => {
  const text = textOf(letter, 'Ada & Co', publicUrl);
  const html = htmlOf(letter, 'Ada & Co', publicUrl);
  expect(letter.subject).toMatch(/^[A-Z]/);
  expect(text).toContain('Hello Ada & Co,');
  expect(html).toContain('Hello Ada &amp; Co,');
  expect(letter.action?.href).toMatch(/^https:\/\/books\.example\//);
  expect(text).toContain(letter.action?.href);
  expect(html).toContain(`href="${letter.action?.href}"`);
  for (const [, value] of letter.facts ?? []) expect(text).toContain(value);
  // Nothing is fetched and nothing runs, and what people wrote stays text.
  expect(html).not.toMatch(/<(img|script|link|iframe|form)\b|url\(|@import/i);
  expect(html.match(/https?:\/\/[^"<\s]+/g)?.every((url) => url.startsWith(publicUrl))).toBe(true);
  expect(html).not.toContain('<b>');
  expect(html).not.toMatch(/undefined|null|NaN|\[object/);
  expect(text).not.toMatch(/undefined|null|NaN|\[object/);
});

test('a secret is in the part of a link that no server and no Referer gets to see', () => {
  const secrets: [Letter, string][] = [
    [letterOf('reset', SAMPLES.reset, to), 'R3set'],
    [letterOf('welcome', SAMPLES.welcome, to), 'C0nfirm'],
    [letterOf('confirm-again', SAMPLES['confirm-again'], to), 'C0nfirm'],
  ];
  for (const [letter, secret] of secrets) {
    const url = new URL(letter.action?.href ?? '');
    expect(url.hash).toContain(secret);
    expect(`${url.pathname}${url.search}`).not.toContain(secret);
  }
});

test('prices and times are told in words, times with their zone', () => {
  expect(letterOf('paid-receipt', SAMPLES['paid-receipt'], to).facts).toEqual(
    expect.arrayContaining([
      ['Paid', '$12.50'],
      ['When', 'November 21, 2026 at 08:05 UTC'],
    ]),
  );
});

test('whose address is proven already is welcomed without a link that proves it', () => {
  const letter = letterOf('welcome', { confirmToken: null }, to);
  expect(textOf(letter, '', publicUrl)).toMatch(/^Hello,\n/);
  expect(textOf(letter, '', publicUrl)).not.toContain('confirm');
});
