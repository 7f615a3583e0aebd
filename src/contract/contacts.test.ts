import { expect, test } from 'vitest';
import { leadsOutside } from './contacts.ts';

test.each([
  'Write to me at maya@books.example',
  'maya (at) mail dot com',
  'see https://example.org/x',
  'www.cheaper.example',
  'It is 2 dollars less on mayabooks.com',
  'Call +1 (503) 555-0142',
  'five oh three, or 503 555 0142',
  'Find me on WhatsApp',
  'Pay by Zelle and save the fee',
  'I am @maya.reads there',
])('%s leads outside', (text) => {
  expect(leadsOutside(text)).toBe(true);
});

test.each([
  '',
  'As described, packed well, here in 3 days.',
  'ISBN 978-0-441-17271-9, the edition of 1990.',
  'ISBN 0-441-17271-7',
  'Pages 112-113 are stuck together... the rest is fine.',
  'Covers 1914-1918 and 1939-1945.',
  'Bought at 12.50, worth 20.00! 10/10',
  'The etc.and so on, vol.2, p.12',
  'Posted 2026-11-20, came 2026-11-24.',
])('%s does not', (text) => {
  expect(leadsOutside(text)).toBe(false);
});
