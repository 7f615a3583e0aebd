import { Script } from 'node:vm';
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { browserScript } from './browser-script.ts';
import { aStandin } from './test-standin.ts';

/** One module of the browser script, as it is before it is joined with the others. */
function part(name: string): Promise<Record<string, (...args: unknown[]) => unknown>> {
  return import(new URL(`./browser/${name}.js`, import.meta.url).href);
}

test('the script is one classic script of the release the SDK belongs to', async () => {
  const { body } = browserScript();
  expect(() => new Script(body)).not.toThrow();
  expect(body).not.toMatch(/^\s*(import|export)\b/m);
  expect(body).toContain(`Stripe.version = '${Stripe.MAJOR_API_VERSION}'`);
});

test('the script needs no markup and no inline style, so that a strict policy lets it be', () => {
  expect(browserScript().body).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|setAttribute\('style'|eval\(|new Function/,
  );
});

test('the script is served once and then revalidated', async () => {
  const { port } = await aStandin();
  const url = `http://127.0.0.1:${port}/stripe.js`;
  const first = await fetch(url);
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await first.text()).toBe(browserScript().body);
  const again = await fetch(url, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});

test.each([
  ['4242424242424242', null],
  ['424242424242424', 'incomplete_number'],
  ['4242424242424241', 'invalid_number'],
  ['378282246310005', null],
  ['36227206271667', null],
  ['2223003122003222', null],
  ['6200000000000005', null],
  ['6205500000000000004', null],
  ['9999', 'invalid_number'],
  ['', 'incomplete_number'],
])('the number %s is judged %s', async (digits, problem) => {
  const { checkNumber } = await part('card-rules');
  expect(checkNumber?.(digits)).toBe(problem);
});

test.each([
  ['0130', null],
  ['1229', null],
  ['1129', 'invalid_expiry_month_past'],
  ['1228', 'invalid_expiry_year_past'],
  ['0035', 'invalid_expiry_month'],
  ['1299', 'invalid_expiry_year'],
  ['123', 'incomplete_expiry'],
])('in December 2029 the expiry %s is judged %s', async (digits, problem) => {
  const { checkExpiry } = await part('card-rules');
  expect(checkExpiry?.(digits, new Date(2029, 11, 15))).toBe(problem);
});

test.each([
  ['4242424242424242', '4242 4242 4242 4242'],
  ['4242-4242 42x', '4242 4242 42'],
  ['378282246310005', '3782 822463 10005'],
  ['36227206271667', '3622 720627 1667'],
  ['42424242424242429999', '4242 4242 4242 4242'],
])('the number %s is shown as %s', async (typed, shown) => {
  const { formatNumber } = await part('card-formats');
  expect(formatNumber?.(typed)).toBe(shown);
});

test.each([
  ['1', false, '1'],
  ['12', false, '12 / '],
  ['12 /', true, '12'],
  ['123', false, '12 / 3'],
  ['5', false, '05 / '],
  ['13', false, '01 / 3'],
  ['1/', false, '01 / '],
  ['1/30', false, '01 / 30'],
  ['12/2030', false, '12 / 30'],
  ['1230', false, '12 / 30'],
])('the expiry %s (deleting: %s) is shown as %s', async (typed, deleting, shown) => {
  const { formatExpiry } = await part('card-formats');
  expect(formatExpiry?.(typed, deleting)).toBe(shown);
});
