import { expect, test } from 'vitest';
import { htmlOf, linksOf, textOf, type Letter } from './letter.ts';
import { letterOf } from './letters.ts';
import type { MailData, MailKind } from './mails.ts';

const publicUrl = 'https://books.example';
const to = linksOf(publicUrl);
const ZONE = 'America/New_York';
const at = '2026-11-21T08:05:00.000Z';
const copy = { title: 'Tom & "Jerry" <b>', priceCents: 1250 };
const bookingId = '7b0c6b3e-0000-4000-8000-000000000001';

const SAMPLES: { readonly [K in MailKind]: MailData[K] } = {
  welcome: { confirmToken: 'C0nfirm' },
  'confirm-again': { confirmToken: 'C0nfirm' },
  reset: { resetToken: 'R3set' },
  'password-changed': { at },
  'api-key-made': { name: 'BookTrakker at home' },
  'new-sign-in': { at, device: 'Firefox on Linux' },
  'account-news': {},
  'booking-made': { ...copy, bookingId, heldUntil: at },
  'paid-receipt': {
    ...copy,
    bookingId,
    transactionId: 'pi_123',
    paidAt: at,
    sellerName: 'Sam',
    postageCents: 400,
    taxCents: 0,
    orderId: bookingId,
    termsVersion: '2026-11-23',
    promised: [{ title: copy.title, words: 'Condition: Good. Jacket: With its jacket', hash: 'h4sh' }],
  },
  sold: {
    ...copy,
    buyerName: 'Bo Buyer',
    left: 'both',
    orderId: bookingId,
    delivery: 'post',
    postageCents: 400,
    dueAt: at,
  },
  'seller-verified': {},
  'admin-removed': { reason: 'You <left> the team' },
  'listing-removed': { title: copy.title, reason: 'The picture shows <another> book' },
  decision: { kind: 'copy', title: copy.title, about: 'decided', action: 'hide', reason: 'It is <another> book' },
  'report-looked-at': { title: copy.title, isActedOn: true },
  identity: { state: 'asked', by: '2026-12-24T10:00:00Z' },
  'listing-held': { title: 'Dune', isLive: false },
  'stock-written': { name: 'stock.csv', added: 4_812, changed: 3, withdrawn: 12, waiting: 3, refused: 7 },
  suspended: { reason: 'Three buyers got nothing', until: '2026-12-24T10:00:00Z' },
  'suspension-lifted': {},
  'verification-removed': { reason: 'Two buyers got other books than they paid for' },
  'line-turn': { ...copy, bookingId, heldUntil: at },
  'hold-lapsed': { ...copy, bookingId },
  refunded: { ...copy, bookingId, orderId: bookingId, otherwise: 'Wire <2026-11>' },
  'money-returned': { ...copy, bookingId },
  dispute: { ...copy, bookingId, reason: 'fraudulent', state: 'open', dueBy: at },

  'line-over': { title: copy.title, isSold: true },
  'want-offer': {
    offerId: '5f0c7c3e-8f0a-4c0b-9a52-0d3d1f6b1a2b',
    title: 'Dune',
    priceCents: 850,
    words: 'Grade: Very Good. Price: $8.50',
    heldUntil: '2026-03-01T14:30:00.000Z',
  },
  digest: {
    cheaper: [{ title: 'Dune', fromCents: 900, toCents: 750 }],
    gone: ['A <b>bold</b> book'],
    found: [{ name: 'Austen', query: 'q=austen', count: 5, titles: ['Emma', 'Persuasion', 'Lady Susan'] }],
    sellers: [{ name: 'Marlow & Sons', slug: 'marlow-sons', count: 2, titles: ['Dune', 'A <b>bold</b> book'] }],
    ended: ['A <b>bold</b> book'],
  },
  review: { orderId: bookingId, title: copy.title, about: 'removed', side: 'buyer', reason: 'a <b>link</b>' },
  message: { threadId: bookingId, title: copy.title, from: 'Maya Ellison' },
  note: { orderId: bookingId, title: copy.title, from: 'buyer' },
  order: {
    orderId: bookingId,
    title: copy.title,
    about: 'post',
    by: 'seller',
    side: 'buyer',
    state: 'posted',
    delivery: 'post',
    reason: '',
    cents: 0,
    dueAt: at,
    carrier: 'USPS & <Co>',
    tracking: '9400',
    place: '',
    times: '',
    code: null,
  },
  payout: { about: 'failed', title: copy.title, cents: 457, reason: 'account <closed>', days: 0 },
  'bank-details': { isChange: true, holdHours: 72 },
};

const letters: [string, Letter][] = Object.entries(SAMPLES).map(([kind, data]) => [
  kind,
  letterOf(kind as MailKind, data as never, to, ZONE),
]);

test.each(letters)('the mail %s says the same as text and as HTML, and links to the shop alone', (_kind, letter) => {
  const foot = { shopUrl: publicUrl, choicesUrl: `${publicUrl}/unsubscribe#t0ken` };
  const text = textOf(letter, 'Ada & Co', foot);
  const html = htmlOf(letter, 'Ada & Co', foot);
  expect(letter.subject).toMatch(/^[A-Z]/);
  expect(text).toContain('Hello Ada & Co,');
  expect(html).toContain('Hello Ada &amp; Co,');
  expect(letter.action?.href).toMatch(/^https:\/\/books\.example\//);
  expect(text).toContain(letter.action?.href);
  expect(html).toContain(`href="${letter.action?.href}"`);
  for (const [, value] of letter.facts ?? []) expect(text).toContain(value);
  for (const form of [text, html]) expect(form).toContain(foot.choicesUrl);
  // Nothing is fetched and nothing runs, and what users wrote stays text.
  expect(html).not.toMatch(/<(img|script|link|iframe|form)\b|url\(|@import/i);
  expect(html.match(/https?:\/\/[^"<\s]+/g)?.every((url) => url.startsWith(publicUrl))).toBe(true);
  expect(html).not.toContain('<b>');
  expect(html).not.toMatch(/undefined|null|NaN|\[object/);
  expect(text).not.toMatch(/undefined|null|NaN|\[object/);
});

test('a secret is in the part of a link that no server and no Referer gets to see', () => {
  const secrets: [Letter, string][] = [
    [letterOf('reset', SAMPLES.reset, to, ZONE), 'R3set'],
    [letterOf('welcome', SAMPLES.welcome, to, ZONE), 'C0nfirm'],
    [letterOf('confirm-again', SAMPLES['confirm-again'], to, ZONE), 'C0nfirm'],
  ];
  for (const [letter, secret] of secrets) {
    const url = new URL(letter.action?.href ?? '');
    expect(url.hash).toContain(secret);
    expect(`${url.pathname}${url.search}`).not.toContain(secret);
  }
});

test('prices and times are told in words, times with their zone', () => {
  expect(letterOf('paid-receipt', SAMPLES['paid-receipt'], to, ZONE).facts).toEqual(
    expect.arrayContaining([
      ['Price', '$8.50'],
      ['Postage', '$4.00'],
      ['Paid', '$12.50'],
      ['Terms', 'https://books.example/#terms, version 2026-11-23'],
      ['When', 'Nov 21, 2026, 3:05 AM EST'],
    ]),
  );
});

test('a seller reads what to do with what was sold, and by when; both sides are led to the order', () => {
  const lines = (sale: Partial<MailData['sold']>) =>
    textOf(letterOf('sold', { ...SAMPLES.sold, ...sale }, to, ZONE), '', { shopUrl: publicUrl });
  const posted = lines({});
  for (const words of [
    'Post it by Sat, Nov 21, 2026, 3:05 AM EST and say so',
    'Price: $12.50',
    'Postage: $4.00',
    'The address and the buyer’s phone number are on that page.',
  ])
    expect(posted).toContain(words);
  expect(posted).not.toMatch(/hand it over|pick it up/);
  const pickup = lines({ delivery: 'pickup', postageCents: 0, left: 'place' });
  expect(pickup).toContain('Offer times to pick it up by Sat, Nov 21, 2026, 3:05 AM EST');
  expect(pickup).not.toMatch(/Postage|address/);
  const page = `${publicUrl}/dashboard/orders/${bookingId}`;
  for (const kind of ['sold', 'refunded'] as const)
    expect(letterOf(kind, SAMPLES[kind], to, ZONE).action?.href).toBe(page);
  // What an earlier release queued knows neither.
  const before = letterOf('sold', { ...copy, buyerName: 'Bo Buyer' }, to, ZONE);
  expect(before.action?.href).toBe(`${publicUrl}/dashboard/my_buyers`);
});

test('how long there is to complain about what was handed over is a time, as operators set it; only its buyer is told to', () => {
  const handedOver = { ...SAMPLES.order, about: 'hand-over', state: 'received' };
  const [buyer, seller] = (['buyer', 'seller'] as const).map((side) =>
    textOf(letterOf('order', { ...handedOver, side }, to, ZONE), '', { shopUrl: publicUrl }),
  );
  expect(buyer).toContain('say so on its page by the time below');
  expect(buyer).toContain('By: Nov 21, 2026, 3:05 AM EST');
  expect(seller).toContain('The money is released once the time for complaints is over.');
  for (const letter of [buyer, seller]) expect(letter).not.toMatch(/three days/);
});

test('who waited in vain is led to other copies of the book, without signing in', () => {
  const title = `Dune & ${'x'.repeat(192)}\u{1f4da}${'y'.repeat(90)}`;
  const letter = letterOf('line-over', { title }, to, ZONE);
  expect(letter.subject).toBe(`No longer available: ${title}`);
  const url = new URL(letter.action?.href ?? '');
  expect(url.pathname).toBe('/search');
  expect(url.searchParams.get('q')).toMatch(/^Dune & x{192}\ufffd$/);
});

test('whose address is proven already is welcomed without a link that proves it', () => {
  const letter = letterOf('welcome', { confirmToken: null }, to, ZONE);
  expect(textOf(letter, '', { shopUrl: publicUrl })).toMatch(/^Hello,\n/);
  expect(textOf(letter, '', { shopUrl: publicUrl })).not.toContain('confirm');
});

test('who was on a waiting list is told whether the book was sold, and led to a search for it', () => {
  const title = 'Dune & Arrakis';
  const sold = letterOf('line-over', { title, isSold: true }, to, ZONE);
  expect([sold.subject, sold.action?.href]).toEqual([
    'Dune & Arrakis has been sold',
    'https://books.example/search?q=Dune%20%26%20Arrakis',
  ]);
  expect(letterOf('line-over', { title, isSold: false }, to, ZONE).subject).toBe('No longer available: Dune & Arrakis');
});

test('a seller is told of what the buyer left to be reached by, and of nothing else', () => {
  const closingOf = (left: 'phone' | 'place' | 'both' | 'nothing' | undefined) =>
    letterOf(
      'sold',
      { ...copy, buyerName: 'Bo', orderId: bookingId, delivery: 'pickup', ...(left && { left }) },
      to,
      ZONE,
    ).closing;
  expect(closingOf('phone')).toEqual(['The buyer’s phone number is on that page, where you can write to them, too.']);
  expect(closingOf('nothing')).toEqual([
    'You can write to the buyer on that page. They left no phone number and no place, and see your phone number.',
  ]);
});
