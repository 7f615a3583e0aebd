import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { testApp, type TestApp } from '#test/app.ts';
import { aCategory, aListing, aSeller } from '#test/make.ts';
import { xmlText } from './writing.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** The texts of an element, in the order of the document. */
const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );

it('of a search, a category and a seller has the newest first, with what anybody may read', async () => {
  const seller = await aSeller(t);
  const category_id = await aCategory(t, seller);
  const first = await aListing(t, seller, { category_id, title: 'Zanoni <I> & "II"' });
  const second = await aListing(t, seller, { category_id, title: 'Zanoni again' });
  for (const query of ['q=zanoni', `category=${category_id}`, `seller=${(await sellerId(seller.id)).id}`]) {
    const answer = await t.send('GET', `/api/feeds/search.atom?${query}`);
    expect(answer.statusCode, query).toBe(200);
    expect(answer.headers['content-type']).toContain('application/atom+xml');
    expect(answer.headers['cache-control']).toBe('public, max-age=900');
    expect(textsOf(answer.body, 'id').slice(1)).toEqual([`urn:uuid:${second._id}`, `urn:uuid:${first._id}`]);
    expect(textsOf(answer.body, 'title')[2]).toContain('Zanoni <I> & "II"');
    for (const secret of [seller.email, '+1 555 0100']) expect(answer.body).not.toContain(secret);
  }
  const none = await t.send('GET', '/api/feeds/search.atom?q=zzyzzyzz');
  expect(none.statusCode).toBe(200);
  expect(none.body).not.toContain('<entry>');
  expect((await t.send('GET', '/api/feeds/search.atom?condition=Perfect')).statusCode).toBe(400);
});

const sellerId = async (id: string) =>
  t.db.selectFrom('users').select(['id', 'seller_slug as slug']).where('id', '=', id).executeTakeFirstOrThrow();

it('for Google has what can be bought and has a picture, of a seller or of all', async () => {
  const [seller, other] = [await aSeller(t), await aSeller(t)];
  const isbn13 = '9780141439587';
  const copy = await aListing(t, seller, { title: 'Emma', authors: 'Jane Austen', isbn13, resale_price: 8.5 });
  const theirs = await aListing(t, other);
  const drawn = await aListing(t, seller);
  await sql`UPDATE listings SET image_url = '' WHERE id = ${drawn._id}`.execute(t.db);
  const paused = await aListing(t, seller);
  await sql`UPDATE listings SET status = 'paused', on_shelf = false WHERE id = ${paused._id}`.execute(t.db);
  const { slug } = await sellerId(seller.id);
  const own = await t.send('GET', `/api/feeds/google.xml?seller=${slug}`);
  expect(own.statusCode).toBe(200);
  expect(textsOf(own.body, 'g:id')).toEqual([copy._id]);
  expect(own.body).toContain('<g:price>8.50 USD</g:price><g:gtin>9780141439587</g:gtin>');
  expect(textsOf(own.body, 'title')[1]).toBe('Emma by Jane Austen');
  expect(own.body.endsWith('</channel></rss>\n')).toBe(true);
  const all = textsOf((await t.send('GET', '/api/feeds/google.xml')).body, 'g:id');
  expect(all).toEqual(expect.arrayContaining([copy._id, theirs._id]));
  expect(all).not.toContain(drawn._id);
  expect((await t.send('GET', '/api/feeds/google.xml?seller=nobody-here')).statusCode).toBe(404);
});

it('is well-formed whatever sellers write', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = xmlText(text);
      // oxlint-disable-next-line no-control-regex -- what XML cannot hold
      expect(written).not.toMatch(/[<>"'\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|&(?!#\d+;)/);
      expect(written.isWellFormed()).toBe(true);
    }),
  );
});
