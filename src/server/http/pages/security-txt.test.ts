import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { PUBLIC_URL: 'https://books.example', SECURITY_CONTACT: 'mailto:holes@books.example' } });
});
afterAll(() => t.close());

test('/.well-known/security.txt says where to tell of a hole, for less than a year', async () => {
  const answer = await t.send('GET', '/.well-known/security.txt');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    answer.body
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );
  expect(Object.fromEntries(fields)).toEqual({
    Contact: 'mailto:holes@books.example',
    Expires: expect.any(String),
    'Preferred-Languages': 'en',
    Canonical: 'https://books.example/.well-known/security.txt',
  });
  const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(90);
  expect(days).toBeLessThan(365);
});
