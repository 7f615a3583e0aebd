import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRenderer, type InProcessApi } from '#server/http/pages/web-build.ts';
import { testApp, type TestApp } from './app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** The shop's own API, of which one call does not answer. */
const apiWithout =
  (missing: string): InProcessApi =>
  async ({ method, path, headers }) => {
    if (path === missing) return { status: 503, header: () => null, body: '' };
    const answer = await t.send(method, `/api${path}`, { headers: { ...headers } });
    return { status: answer.statusCode, header: (name) => String(answer.headers[name] ?? ''), body: answer.body };
  };

it('a page whose categories could not be loaded says so in their place, and is whole otherwise', async () => {
  const render = await loadRenderer();
  const report = (error: unknown): never => {
    throw error;
  };
  const page = async (missing: string): Promise<string> => {
    const answer = await render(new Request('http://shop/'), {
      api: apiWithout(missing),
      timeZone: 'UTC',
      demo: false,
      nonce: undefined,
      report,
    });
    expect(answer.status).toBe(200);
    return answer.body.toString();
  };
  const told = 'The categories could not be loaded.';
  const html = await page('/categoryName');
  expect(html).toContain(told);
  expect(html).toContain('Try again');
  expect(html).toContain('Popular Books');
  expect(await page('/none')).not.toContain(told);
});
