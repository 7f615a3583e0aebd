import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLIC_CACHING } from '#server/http/cache/cached-responses.ts';
import { CLIENT_FOLDER } from './web-build.ts';
import { offerListing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aListing, aSeller } from '#test/make.ts';
import { cacheablePolicy, noncePolicy, sealPage } from './page-policy.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ web: true });
});
afterAll(() => t.close());

const get = (url: string, headers: Record<string, string> = {}) => t.send('GET', url, { headers });
const policyOf = (answer: { headers: Record<string, unknown> }): string =>
  String(answer.headers['content-security-policy']);

const directives = (policy: string): Map<string, string> =>
  new Map(policy.split('; ').map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]));

/** Sent over a socket to the letter: clients resolve the path of an address. */
const asWritten = async (path: string): Promise<{ status: number | undefined; cacheControl: string | undefined }> => {
  const { hostname, port } = new URL(await (listening ??= t.listen()));
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (answer) => {
      resolve({ status: answer.resume().statusCode, cacheControl: answer.headers['cache-control'] });
    })
      .on('error', reject)
      .end();
  });
};
let listening: Promise<string> | undefined;

/** What is run; data for search engines is not. */
const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]* src=)(?![^>]*ld\+json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => script,
  );

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const PUBLIC = ['/', '/home', '/blog'];
const PRIVATE = [
  '/login',
  '/register',
  '/user_type',
  '/categories',
  '/dashboard',
  '/dashboard/my_orders',
  '/dashboard/x',
];

describe('a public page', () => {
  it.each(PUBLIC)('%s lets in exactly its own inline scripts, by hash', async (url) => {
    const answer = await get(url);
    const scripts = inlineScripts(answer.body);
    expect(scripts.length).toBeGreaterThan(2);
    const allowed = directives(policyOf(answer)).get('script-src')?.split(' ') ?? [];
    expect(new Set(allowed)).toEqual(new Set(["'self'", ...scripts.map(hashOf)]));
    expect(answer.body).not.toContain('nonce');
  });

  it('is the same bytes for everybody, may be kept, and is asked for again by its tag', async () => {
    const [one, two] = [
      await get('/'),
      await get('/', { cookie: 'dogear=somebody', 'x-forwarded-host': 'evil.example' }),
    ];
    expect(two.body).toBe(one.body);
    expect(one.headers['cache-control']).toBe(PUBLIC_CACHING);
    expect(one.headers['set-cookie']).toBeUndefined();
    const again = await get('/', { 'if-none-match': String(one.headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(policyOf(again)).toBe(policyOf(one));
  });

  it('is rendered for as many as can have it soon, whoever comes beyond is told so at once', async () => {
    const crowd = Array.from({ length: 130 }, (_, n) => get(`/search?q=${n}`, { accept: 'text/html' }));
    const answers = await Promise.all(crowd);
    const away = answers.filter(({ statusCode }) => statusCode === 503);
    expect(away.length).toBeGreaterThan(10);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(130 - away.length);
    for (const { headers, body } of away) {
      expect([headers['retry-after'], headers['cache-control']]).toEqual(['1', 'no-store']);
      expect(body).toContain('One moment, please');
    }
    expect((await get('/search?q=calm')).statusCode).toBe(200);
  });

  it('shows what the API lists, without a request over the network', async () => {
    const listing = await aListing(t, await aSeller(t), { title: 'A Shelf <b>of</b> "One\'s" Own' });
    const answer = await get('/');
    expect(answer.body).toContain('A Shelf &lt;b&gt;of&lt;/b&gt; &quot;One&#x27;s&quot; Own');
    expect(answer.body).toContain(listing.location);
    expect(answer.body).not.toMatch(/ style=/);
  });

  it('comes compressed as the client likes it', async () => {
    const plain = await get('/blog');
    const brotli = await get('/blog', { 'accept-encoding': 'gzip, br' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    const gzip = await get('/blog', { 'accept-encoding': 'gzip, br;q=0' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(plain.headers['vary']).toContain('Accept-Encoding');
  });
});

describe('a page that is not there', () => {
  it.each(['/no-such-page', '/book/no-such-book', '/category/none', '/no/such/page.data'])(
    '%s is kept by nobody',
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store']);
    },
  );
});

describe('an address that resolves to another one', () => {
  it.each([
    '/x/../login',
    '/./login',
    '/%2e/login',
    '/x\\..\\login',
    '/\\login',
    '/login#.css',
    '/#/login',
    '/book/../confirm',
    '/x/%2E%2e/dashboard',
    '/.%2e/dashboard/payment/00000000-0000-4000-8000-000000000000',
    '/x/../login.data',
    '/x/../login/done',
    '/x/../book/00000000-0000-4000-8000-000000000000',
    '/x/..',
  ])('%s is 400: no page is decided about by one path and rendered by another', async (url) => {
    const answer = await asWritten(url);
    expect([answer.status, answer.cacheControl]).toEqual([400, 'no-store']);
  });

  it.each(['//login', '/dashboard//payment/x', '/login//'])('%s is never the private page, kept', async (url) => {
    const answer = await asWritten(url);
    if (answer.status === 200) expect(answer.cacheControl).toBe('no-store');
    else expect(answer.status).toBe(404);
  });
});

describe('a private page', () => {
  it.each(['/Login', '/LOGIN/', '/%6Cogin', '/Login.data', '/Dashboard', '/%64ashboard/payment/x', '/Reset-Password'])(
    '%s is the same page in another spelling, and is not stored either',
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(policyOf(answer)).toContain("'strict-dynamic'");
    },
  );

  it.each(PRIVATE)('%s is never stored, and its scripts carry a nonce of this answer only', async (url) => {
    const answers = [await get(url), await get(url)];
    const nonces = answers.map(
      (answer) =>
        /'nonce-([\w-]{22})' 'strict-dynamic'$/.exec(directives(policyOf(answer)).get('script-src') ?? '')?.[1],
    );
    expect(nonces[0]).toBeDefined();
    expect(nonces[0]).not.toBe(nonces[1]);
    for (const [place, answer] of answers.entries()) {
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['etag']).toBeUndefined();
      const tags = answer.body.match(/<script[^>]*>/g) ?? [];
      expect(tags.length).toBeGreaterThan(2);
      for (const tag of tags) expect(tag).toContain(`nonce="${nonces[place]}"`);
    }
  });

  it('gives a hundred different nonces to a hundred readers', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/login')));
    expect(new Set(answers.map((answer) => /'nonce-([^']+)'/.exec(policyOf(answer))?.[1])).size).toBe(100);
  });
});

describe('every page', () => {
  it.each([...PUBLIC, ...PRIVATE])('%s has the headers that keep others out', async (url) => {
    const { headers } = await get(url);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'reporting-endpoints': 'csp="/api/csp-reports"',
    });
    expect(headers['permissions-policy']).toContain('camera=()');
    const policy = directives(String(headers['content-security-policy']));
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'none'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'object-src': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': 'default',
      'report-to': 'csp',
    });
  });

  it('lets the form of a listing alone use the camera and decode barcodes', async () => {
    for (const url of ['/dashboard/add_product', '/dashboard/edit_product/01890a5d-ac96-774b-bcce-b302099a8057']) {
      const { headers } = await get(url);
      expect(headers['permissions-policy']).toContain('camera=(self)');
      const policy = directives(String(headers['content-security-policy']));
      expect(policy.get('script-src')).toContain("'wasm-unsafe-eval'");
      expect(policy.get('img-src')).toBe("'self' data: blob:");
      expect(policy.get('connect-src')).toBe("'self'");
    }
    for (const url of ['/', '/dashboard', '/dashboard/my_products', '/dashboard/edit_product/a/b', '/add_product']) {
      const { headers } = await get(url);
      expect(headers['permissions-policy']).toContain('camera=()');
      expect(headers['content-security-policy']).not.toMatch(/wasm-unsafe-eval|blob:/);
    }
  });

  it('keeps the windows it opens, and the one that comes back from a service keeps its opener', async () => {
    expect((await get('/login/done?provider=google')).headers).toMatchObject({
      'cross-origin-opener-policy': 'unsafe-none',
      'cache-control': 'no-store',
    });
    expect((await get('/login')).headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  });

  it('that does not exist is an error page with the status 404', async () => {
    for (const url of ['/no-such-page', '/category/no-such-category', '//evil.example/', '/.git/config', '/.env']) {
      const answer = await get(url);
      expect([url, answer.statusCode]).toEqual([url, 404]);
      expect(answer.headers['content-type']).toContain('text/html');
    }
    expect((await get('/no-such-page')).body).toContain('Back to homepage');
  });

  it('is read, never written', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await t.send(method, '/login');
      expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
    const head = await t.send('HEAD', '/');
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(policyOf(head)).toBe(policyOf(await get('/')));
  });

  it('leaves unknown calls of the API to the API', async () => {
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['GET', '/api'],
      ['POST', '/api/nothing'],
      ['GET', '/standins/nothing'],
    ] as const) {
      const answer = await t.send(method, url);
      expect([url, answer.statusCode, answer.json().error.code]).toEqual([url, 404, 'not_found']);
    }
  });
});

describe('the payment page', () => {
  const stripe = directives(noncePolicy('abc', 'stripe'));

  it('lets Stripe in only when Stripe itself is configured', async () => {
    const answer = await get('/dashboard/payment/0b9f4c1e-0000-4000-8000-000000000000');
    expect(policyOf(answer)).not.toContain('stripe');
    expect(stripe.get('script-src')).toBe("'nonce-abc' 'strict-dynamic' https://js.stripe.com");
    expect(stripe.get('connect-src')).toBe("'self' https://api.stripe.com");
    expect(stripe.get('frame-src')).toBe('https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com');
  });

  it('is the only one that does', async () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    };
    const configured = await testApp({ web: true, env: keys });
    const policies = await Promise.all(
      ['/', '/dashboard', '/dashboard/payment/x'].map(async (url) =>
        policyOf(await configured.send('GET', url)).includes('js.stripe.com'),
      ),
    );
    await configured.close();
    expect(policies).toEqual([false, false, true]);
  });
});

describe('a file of the build', () => {
  it('with a hash in its name is kept for ever, others for an hour', async () => {
    const script = /\/assets\/entry\.client-[\w-]+\.js/.exec((await get('/')).body)?.[0] ?? '';
    const answer = await get(script, { 'accept-encoding': 'br' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const favicon = await get('/favicon.svg');
    expect(favicon.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    });
    const tag = String(favicon.headers['etag']);
    expect((await get('/favicon.svg', { 'if-none-match': tag })).statusCode).toBe(304);
  });

  it('holds no schema and no summary of the API: pages need neither', async () => {
    const names = (await readdir(`${CLIENT_FOLDER}/assets`)).filter((name) => name.endsWith('.js'));
    const scripts = (await Promise.all(names.map((name) => readFile(`${CLIENT_FOLDER}/assets/${name}`, 'utf8')))).join(
      '',
    );
    expect(scripts).toContain('/categories/:id/copies');
    expect(scripts).not.toContain(offerListing.summary);
    expect(scripts).not.toMatch(/\bType\.(Object|String)\(/);
  });

  it('cannot be left by climbing', async () => {
    for (const url of [
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/..%2f..%2fpackage.json',
      '/.vite/manifest.json',
    ]) {
      const answer = await get(url);
      expect(answer.statusCode).not.toBe(200);
      expect(answer.body).not.toContain('"dependencies"');
    }
  });
});

describe('reports of what the policy stopped', () => {
  it('are counted, whichever way browsers send them', async () => {
    const before = t.app.cspReportCount();
    const report = JSON.stringify([{ type: 'csp-violation', body: { blockedURL: 'inline' } }]);
    for (const type of ['application/reports+json', 'application/csp-report']) {
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/csp-reports',
        headers: { 'content-type': type },
        payload: report,
      });
      expect(answer.statusCode).toBe(204);
    }
    expect(t.app.cspReportCount()).toBe(before + 2);
    expect((await get('/api/csp-reports')).json()).toEqual({ count: before + 2 });
  });
});

describe('sealing a page', () => {
  it('gives no hash to a script that was smuggled into the markup', () => {
    const page =
      '<script nonce="n1">ours()</script><script>theirs()</script><script nonce="guess">theirs()</script><b nonce="n1">x</b>';
    const sealed = sealPage(Buffer.from(page), 'n1');
    expect(sealed.hashes.map((hash) => `'${hash}'`)).toEqual([hashOf('ours()')]);
    expect(sealed.html.toString()).toBe(
      '<script>ours()</script><script>theirs()</script><script nonce="guess">theirs()</script><b>x</b>',
    );
    expect(cacheablePolicy(sealed.hashes)).toContain(`script-src 'self' ${hashOf('ours()')};`);
  });
});
