import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromQuery, leadsToBooking, returnPath } from './return-path.ts';

const FOREIGN = [
  '//evil.example',
  '///evil.example',
  '////evil.example/',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/%2fevil.example',
  '/%2Fevil.example',
  '/%5cevil.example',
  '/%5Cevil.example',
  '/%252fevil.example',
  '/%25252fevil.example',
  '%2f%2fevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/dashboard/..//evil.example',
  'https://evil.example',
  'https:evil.example',
  'HTTPS://evil.example',
  'http:/evil.example',
  '@evil.example',
  'evil.example',
  '.evil.example',
  'javascript:alert(1)',
  '/javascript%00:alert(1)',
  'data:text/html,hello',
  '/%',
  '/%E0%A4%A',
  '?from=/',
  '',
];

describe('where sign-in returns to', () => {
  it.each(FOREIGN)('refuses %j and goes home', (from) => {
    expect(returnPath(from)).toBe('/');
  });

  it.each([
    '/',
    '/categories',
    '/category/fiction?cursor=abc&limit=24',
    '/category/science%20fiction',
    '/dashboard/payment/0b9f4c1e-0000-4000-8000-000000000000',
    '/#faq',
    '/categories?q=https%3A%2F%2Felsewhere.example',
  ])('keeps the own path %j', (from) => {
    expect(returnPath(from)).toBe(from);
  });

  it('goes home when there is none, or it is absurdly long', () => {
    expect(returnPath(null)).toBe('/');
    expect(returnPath(undefined)).toBe('/');
    expect(returnPath(`/${'a'.repeat(3_000)}`)).toBe('/');
  });

  it('does not go in circles through the pages of signing in', () => {
    expect(returnPath('/login')).toBe('/');
    expect(returnPath('/login/?from=%2Flogin')).toBe('/');
    expect(returnPath('/login/done?provider=google&outcome=signed-in')).toBe('/');
    expect(returnPath('/register')).toBe('/');
    expect(returnPath('/user_type')).toBe('/');
  });

  it('never leaves the site, whatever is asked', () => {
    const piece = fc.oneof(
      fc.constantFrom('/', '\\', '%2f', '%5c', '%25', '\t', '\n', '.', '..', '@', ':', 'evil.example', '?', '#'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const target = returnPath(pieces.join(''));
        expect(new URL(target, 'https://dogear.example').origin).toBe('https://dogear.example');
        expect(target).toMatch(/^\/(?![/\\])/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is written into the address of the sign-in page so that it can be read back', () => {
    expect(fromQuery('/')).toBe('');
    expect(fromQuery('//evil.example')).toBe('');
    const query = new URLSearchParams(fromQuery('/category/fiction?cursor=a&limit=2'));
    expect(returnPath(query.get('from'))).toBe('/category/fiction?cursor=a&limit=2');
  });
});

describe('a way that leads to a booking', () => {
  it('has the copy in its query, on a page of the shop', () => {
    expect(leadsToBooking('/search?q=dune&book=01890a5d')).toBe(true);
    for (const path of ['/', '/search?q=book', '/book/01890a5d', '//evil.example/?book=1', '/login?book=1'])
      expect(leadsToBooking(path), path).toBe(false);
  });
});
