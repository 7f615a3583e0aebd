import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editListing, readListing, type Listing } from '#contract/catalog/catalog.ts';
import { PUBLIC_CACHING } from '#server/http/cache/cached-responses.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aListing, aSeller, aUser, type TestUser } from '#test/make.ts';
import { aPhoto } from '#test/photos.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';

let t: TestApp;
let seller: TestUser;
beforeAll(async () => {
  t = await testApp({ web: true, env: { PUBLIC_URL: 'http://books.example:8080' } });
  seller = await aUser(t, { roles: ['seller'], verified: true, name: 'Sylvia Beach' });
});
afterAll(() => t.close());

const ORIGIN = 'http://books.example:8080';
const withPhoto = async ({ _id: id }: Listing): Promise<Listing> => {
  const photos = [{ id: (await aPhoto(t, seller)).id, caption: null }];
  await t.call(editListing, { params: { id }, body: { photos } }, { as: seller });
  return (await t.call(readListing, { params: { id } })).body;
};
const get = (url: string) => t.send('GET', url);

const unescaped = (text: string): string =>
  text
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The `content` of a meta element, or the `href` of a link element. */
const told = (html: string, name: string): string | undefined => {
  const tag = html.match(/<(meta|link) [^>]*>/g)?.find((one) => one.includes(`="${name}"`));
  const value = /(?:content|href)="([^"]*)"/.exec(tag ?? '')?.[1];
  return value === undefined ? undefined : unescaped(value);
};
/** The policy's scripts beside those that are in the page to be run. */
const scriptsOf = (answer: { body: string; headers: Record<string, unknown> }) => {
  const run = /<script(?![^>]* src=)(?![^>]*ld\+json)[^>]*>([\s\S]*?)<\/script>/g;
  const hashes = [...answer.body.matchAll(run)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  const policy = /script-src ([^;]*);/.exec(String(answer.headers['content-security-policy']))?.[1] ?? '';
  return { allowed: new Set(policy.split(' ')), ours: new Set(["'self'", ...hashes]) };
};
const titleOf = (html: string): string => unescaped(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '');
const dataOf = (html: string): unknown =>
  JSON.parse(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/.exec(html)?.[1] ?? 'null');

describe('the page of a book', () => {
  it('shows every field of the listing, and to nobody how to reach the seller', async () => {
    const listing = await withPhoto(
      await aListing(t, seller, {
        title: 'Ulysses',
        authors: 'James Joyce',
        isbn13: '9780141182803',
        published_year: 1922,
        publisher: 'Shakespeare and Company',
        original_price: 30,
        resale_price: 12.5,
        years_of_use: 4,
        location: 'Paris',
        phone: '+33 1 4444 200',
        details: 'Blue wrappers,\na little faded.',
        condition: 'Fair',
      }),
    );
    const answer = await get(`/book/${listing._id}`);
    expect(answer.statusCode).toBe(200);
    // What is read, not the data that travels beside it.
    const shown = /<main[\s\S]*<\/main>/.exec(answer.body)?.[0] ?? '';
    for (const part of [
      '>Ulysses</h1>',
      'James Joyce',
      '9780141182803',
      '1922',
      'Shakespeare and Company',
      '$12.50',
      '$30.00',
      'Fair',
      '4 years of use',
      'Paris',
      'Blue wrappers,\na little faded.',
      'Sylvia Beach',
      'Verified seller',
      `href="/category/${listing.category_id}"`,
      `dateTime="${listing.published_date}"`,
      `/photos/${listing.photo?.name}/`,
      'Available',
      'Book Now',
    ]) {
      expect.soft(shown, part).toContain(part);
    }
    expect(answer.body).not.toContain(seller.email);
    expect(answer.body).not.toContain('4444 200');
  });

  it('tells the day it was listed by the clock of the shop, marked for machines', async () => {
    const listing = await aListing(t, await aUser(t, { roles: ['seller'] }));
    const early = '2026-01-01T04:59:00.000Z';
    await sql`UPDATE listings SET published_at = ${early} WHERE id = ${listing._id}`.execute(t.db);
    const { body } = await get(`/book/${listing._id}`);
    expect(body).toMatch(/<time dateTime="2026-01-01T04:59:00(\.000)?Z"[^>]*>Dec 31, 2025<\/time>/);
  });

  it('says nothing of years of use and original price where nobody said', async () => {
    const listing = await aListing(t, await aSeller(t), { title: 'The Waves', resale_price: 12.5, original_price: 30 });
    await t.db
      .updateTable('listings')
      .set({ years_of_use: 0, years_known: false, original_cents: 1250, original_known: false })
      .where('id', '=', listing._id)
      .execute();
    for (const path of [`/book/${listing._id}`, `/category/${listing.category_id}`]) {
      const shown = /<main[\s\S]*<\/main>/.exec((await get(path)).body)?.[0] ?? '';
      expect(shown).toContain('$12.50');
      for (const part of ['Never used', 'of use', 'Original price', 'Save ', '$0'])
        expect(shown, path).not.toContain(part);
    }
  });

  it('is read from right to left where its title, author or details are, on its drawn cover as well', async () => {
    const seller2 = await aUser(t, { roles: ['seller'] });
    const title = 'ألف ليلة وليلة: الجزء الأول';
    const listing = await aListing(t, seller2, { title, authors: 'نجيب محفوظ', details: 'كتاب قديم.' });
    await sql`UPDATE listings SET image_url = '' WHERE id = ${listing._id}`.execute(t.db);
    const { body } = await get(`/book/${listing._id}`);
    for (const part of [title, 'نجيب محفوظ', 'كتاب قديم.']) {
      expect(body).toMatch(new RegExp(`<(h1|p|blockquote)[^>]* dir="auto"[^>]*>(<a [^>]*>)?${part}<`));
    }
    expect(body).toContain('<b dir="rtl"');
  });

  it('is the same for everybody and may be kept, its data for search engines under a policy of scripts by hash', async () => {
    const listing = await aListing(t, seller);
    const [anonymous, signedIn] = [
      await get(`/book/${listing._id}`),
      await t.send('GET', `/book/${listing._id}`, { as: seller }),
    ];
    expect(signedIn.body).toBe(anonymous.body);
    expect(anonymous.headers['cache-control']).toBe(PUBLIC_CACHING);
    const { allowed, ours } = scriptsOf(anonymous);
    expect(allowed).toEqual(ours);
  });

  it('tells search engines what it is, whatever the title holds', async () => {
    const title = '</script><script>alert(1)</script> & "One\'s" Own';
    const listing = await withPhoto(
      await aListing(t, seller, { title, authors: 'V. Woolf', resale_price: 7.5, isbn13: '9780141182803' }),
    );
    const { body } = await get(`/book/${listing._id}?utm_source=x`);
    const url = `${ORIGIN}/book/${listing._id}`;
    expect(dataOf(body)).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Book',
      url,
      name: title,
      author: { '@type': 'Person', name: 'V. Woolf' },
      isbn: '9780141182803',
      image: listing.image_url,
      offers: {
        '@type': 'Offer',
        price: '7.50',
        priceCurrency: 'USD',
        itemCondition: 'https://schema.org/UsedCondition',
        availability: 'https://schema.org/InStock',
        seller: { name: 'Sylvia Beach' },
      },
    });
    expect(body).not.toContain('<script>alert');
    expect(titleOf(body)).toBe(`${title} by V. Woolf · Dogear`);
    expect(told(body, 'canonical')).toBe(url);
    expect(told(body, 'og:url')).toBe(url);
    expect(told(body, 'og:title')).toBe(`${title} by V. Woolf`);
    expect(told(body, 'og:image')).toBe(`${ORIGIN}/photos/${listing.photo?.name}/shared.jpg`);
    expect(told(body, 'og:type')).toBe('book');
    const description = told(body, 'description') ?? '';
    expect(description).toContain('a second-hand copy in Portland, good, for $7.50');
    expect(description.length).toBeLessThanOrEqual(160);
    expect(told(body, 'og:description')).toBe(description);
  });

  it('names no picture that is elsewhere, and draws a cover in its place', async () => {
    const image_url = 'https://images.example/photos/aaaaaaaaaaaaaaaaaaaaaa/720.webp';
    const near = await aListing(t, await aSeller(t));
    const far = await aListing(t, await aSeller(t), { image_url });
    for (const listing of [near, far]) {
      const { body } = await get(`/book/${listing._id}`);
      expect(dataOf(body)).not.toHaveProperty('image');
      expect(told(body, 'og:image')).toBe(`${ORIGIN}/share.png`);
    }
    const { body } = await get(`/book/${near._id}`);
    expect(body).toContain('cover-frame drawn');
    expect(body).not.toMatch(/<img[^>]*images\.example/);
  });

  it('says truthfully that a copy is reserved or sold', async () => {
    const listing = await aListing(t, seller, { title: 'The Only Copy of Its Edition' });
    const { body: available } = await get(`/book/${listing._id}`);
    expect(available).toContain('Book Now');
    await aBooking(t, await aBuyer(t), listing);
    for (const status of ['Reserved', 'Sold']) {
      if (status === 'Sold') {
        await t.db.updateTable('listings').set(becoming('sold')).where('id', '=', listing._id).execute();
      }
      const { statusCode, body } = await get(`/book/${listing._id}`);
      expect(statusCode).toBe(200);
      expect(body).toMatch(new RegExp(`aria-hidden="true"[^>]*></span>${status}</span>`));
      if (status === 'Sold') expect(body).toMatch(/<button[^>]* disabled=""[^>]*>Sold<\/button>/);
      else expect(body).toMatch(/<button[^>]* disabled=""[^>]*>Book Now<.*Join waiting list/);
      expect(body.includes('Book Now')).toBe(status === 'Reserved');
      expect(dataOf(body)).toMatchObject({ offers: { availability: 'https://schema.org/OutOfStock' } });
    }
  });

  it('shows other copies of its edition, and one that is taken no more', async () => {
    const title = 'A Book That Many Sell';
    const [own, cheaper] = [
      await aListing(t, seller, { title }),
      await aListing(t, seller, { title, resale_price: '4.50' }),
    ];
    const before = (await get(`/book/${own._id}`)).body;
    expect(before).toContain('1 other copy for $4.50');
    expect(before).toContain(`href="/book/${cheaper._id}"`);
    expect(before).toContain(`value="${cheaper._id}"`);
    await aBooking(t, await aBuyer(t), cheaper);
    const after = (await get(`/book/${own._id}`)).body;
    expect(after).not.toContain('other copy');
    expect(after).not.toContain(cheaper._id);
  });

  it('is 404 for a copy that is withdrawn, unknown or no id at all, and keeps search engines out', async () => {
    const listing = await aListing(t, seller, { title: 'A Withdrawn Book' });
    await t.db.updateTable('listings').set(becoming('withdrawn')).where('id', '=', listing._id).execute();
    for (const id of [listing._id, '0b9f4c1e-0000-4000-8000-000000000000', 'no-id', '%00']) {
      const answer = await get(`/book/${id}`);
      expect([id, answer.statusCode]).toEqual([id, 404]);
      expect(told(answer.body, 'robots')).toBe('noindex');
      expect(answer.body).not.toContain('A Withdrawn Book');
      expect(answer.body).not.toContain('ld+json');
    }
  });

  it('is linked from the title of its card', async () => {
    const listing = await aListing(t, seller, { title: 'Linked From A Card' });
    for (const url of ['/', `/category/${listing.category_id}`]) {
      expect((await get(url)).body).toMatch(
        new RegExp(`<a[^>]*href="/book/${listing._id}"[^>]*>Linked From A Card</a>`),
      );
    }
  });
});

describe('the card of a book', () => {
  it('says authors and year, as far as they are known', async () => {
    const other = await aSeller(t);
    const category = await aCategory(t, other);
    const more = { authors: 'Virginia Woolf', publisher: 'Harvest', published_year: 1928, isbn13: '0-15-670160-X' };
    await aListing(t, other, { category_id: category, title: 'Orlando', ...more });
    expect((await get(`/category/${category}`)).body).toContain('>Virginia Woolf · 1928</p>');
    const bare = await aCategory(t, other);
    await aListing(t, other, { category_id: bare, title: 'The Odyssey', published_year: -700 });
    expect((await get(`/category/${bare}`)).body).toContain('>700 BC</p>');
  });
});

describe('every public page', () => {
  it('has a title, a description, one address and what is shown where it is shared', async () => {
    const category = await aCategory(t, await aSeller(t));
    for (const [url, path] of [
      ['/', '/'],
      ['/home?utm_source=x', '/'],
      ['/blog', '/blog'],
      ['/login?from=%2Fcategories', '/login'],
      ['/register', '/register'],
      [`/category/${category}?book=x`, `/category/${category}`],
    ] as const) {
      const { body } = await get(url);
      const address = `${ORIGIN}${path}`;
      expect.soft([url, told(body, 'canonical'), told(body, 'og:url')]).toEqual([url, address, address]);
      expect.soft(titleOf(body), url).toContain('Dogear');
      expect.soft(told(body, 'description')?.length, url).toBeGreaterThan(40);
      expect.soft(told(body, 'og:description'), url).toBe(told(body, 'description'));
      expect.soft(told(body, 'og:title')?.length, url).toBeGreaterThan(3);
      expect.soft(told(body, 'og:image'), url).toBe(`${ORIGIN}/share.png`);
    }
    expect((await get('/share.png')).headers['content-type']).toBe('image/png');
    const { body } = await get(`/category/${category}`);
    expect(titleOf(body)).toBe(`${category} · Dogear`);
  });

  it('that lists books tells search engines which', async () => {
    const category = await aCategory(t, seller);
    expect((await get(`/category/${category}`)).body).not.toContain('ld+json');
    const plain = await withPhoto(
      await aListing(t, seller, { category_id: category, title: 'Plain', condition: 'Fair' }),
    );
    const booked = await aListing(t, seller, {
      category_id: category,
      title: '</script>"Booked"',
      authors: 'V. Woolf',
    });
    await aBooking(t, await aBuyer(t), booked);
    const books = [booked, plain].map(({ _id: id }, place) => ({
      '@type': 'ListItem',
      position: place + 1,
      url: `${ORIGIN}/book/${id}`,
    }));
    for (const url of [`/category/${category}`, '/', '/home']) {
      const answer = await get(url);
      const list = dataOf(answer.body) as { itemListElement: unknown[] };
      expect(list, url).toMatchObject({ '@context': 'https://schema.org', '@type': 'ItemList' });
      expect(list.itemListElement.slice(0, 2), url).toEqual(books);
      const { allowed, ours } = scriptsOf(answer);
      expect(allowed, url).toEqual(ours);
    }
    expect((await get('/category/no-such-category')).body).not.toContain('ld+json');
  });

  it('further along a list has the address of that place', async () => {
    const category = await aCategory(t, seller);
    for (let count = 0; count < 25; count += 1) await aListing(t, seller, { category_id: category });
    const { body } = await get(`/category/${category}`);
    const next = unescaped(new RegExp(`href="(/category/${category}\\?cursor=[^"]*)"`).exec(body)?.[1] ?? '');
    expect(told((await get(`${next}&book=x`)).body, 'canonical')).toBe(`${ORIGIN}${next}`);
  });
});
