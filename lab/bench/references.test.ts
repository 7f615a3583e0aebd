// The bench compares the shop with servers that do the same work by one plain statement: what they answer must be what
// the shop answers, also when the contract has changed since.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { offerListing } from '#contract/catalog/catalog.ts';
import { pauseListing } from '#contract/catalog/pausing.ts';
import { saveCopyDelivery, saveDelivery } from '#contract/delivery/delivery-calls.ts';
import { requireSame } from '#lab/bench/serve/figures/same.ts';
import { startReference } from '#lab/bench/serve/references.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBooking, aBuyer, aCategory, aDraft, aListing, anAdmin, aSeller } from '#test/make.ts';
import { aPhoto } from '#test/photos.ts';

type Reference = Awaited<ReturnType<typeof startReference>>;

let t: TestApp;
let port: number;
let category: string;
const copies: Record<string, string> = {};

/** A shelf with a copy of each kind: what a field of the contract is about must be there to be compared. */
const fill = async (): Promise<void> => {
  const [seller, buyer, next] = [await aSeller(t), await aBuyer(t), await aBuyer(t)];
  category = await aCategory(t, await anAdmin(t));
  const kinds = {
    known: { authors: 'Ursula K. Le Guin', isbn13: '9780441478125', published_year: 1969, publisher: 'Ace' },
    unknown: { original_known: false, years_known: false, details: 'Quotes " and \\, ü and 書.', authors: '' },
    half: { years_of_use: 1.5, resale_price: '7.05', published_year: -400 },
    held: { title: 'Held' },
    paused: { title: 'Paused' },
    posted: { title: 'Posted' },
  };
  for (const [name, more] of Object.entries(kinds)) {
    copies[name] = (await aListing(t, seller, { category_id: category, ...more }))._id;
  }
  const { image_url: _none, ...draft } = aDraft(seller, category);
  const photos = [await aPhoto(t, seller), await aPhoto(t, seller)].map(({ id }) => ({
    id,
    caption: 'front' as const,
  }));
  const made = await t.call(offerListing, { body: { ...draft, photos } }, { as: seller });
  expect(made.status).toBe(201);
  copies['photos'] = made.body.insertedId;
  const held = (await t.send('GET', `/api/categories/${copies['held']}`)).json();
  await aBooking(t, buyer, held);
  const joined = await t.call(joinWaitlist, { params: { id: held._id } }, { as: next });
  const paused = await t.call(
    pauseListing,
    { params: { id: copies['paused'] ?? '' }, body: { paused: true } },
    { as: seller },
  );
  const places = { pickup: true, pickupPlace: 'the shop', post: true, countries: ['US', 'CA'], daysToPost: 2 };
  const terms = { ...places, first: '4.5', further: '1', freeFrom: '50' };
  const shop = await t.call(saveDelivery, { body: terms }, { as: seller });
  const own = await t.call(
    saveCopyDelivery,
    { params: { id: copies['posted'] ?? '' }, body: { pickup: false, freeFrom: null } },
    { as: seller },
  );
  expect([joined, paused, shop, own].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
};

beforeAll(async () => {
  t = await testApp({ web: true });
  await fill();
  port = Number(new URL(await t.listen()).port);
});
afterAll(() => t.close());

const withReference = async (
  name: Parameters<typeof startReference>[0],
  env: Record<string, string>,
  work: (reference: Reference) => Promise<void>,
): Promise<void> => {
  const reference = await startReference(name, env);
  try {
    await work(reference);
  } finally {
    reference.child.kill('SIGKILL');
    await reference.child.exited;
  }
};

describe('the reference of one statement', () => {
  it('answers lists, books and searches as the shop does, with all their fields', async () => {
    const shop = { pid: process.pid, port };
    const cursor = Buffer.from('2100-01-01T00:00:00.000000Z_ffffffff-ffff-ffff-ffff-ffffffffffff').toString(
      'base64url',
    );
    const lists = [`/api/category/${category}`, `/api/category/${category}?cursor=${cursor}`, '/api/categories'];
    const seen = Object.entries(copies).filter(([name]) => name !== 'paused');
    const books = seen.map(([, id]) => `/api/categories/${id}`);
    await withReference(
      'statement',
      { DATABASE_URL: t.databaseAppUrl, PUBLIC_URL: t.config.publicUrl },
      async (reference) => {
        for (const target of [...lists, ...books, '/api/search?q=left+hand']) {
          await requireSame(shop, reference, target);
        }
        // The comparison is of something: all of the shelf but what is paused.
        const listed = await (await fetch(`http://127.0.0.1:${reference.port}${lists[0]}`)).json();
        expect(listed).toHaveLength(seen.length);
        await expect(requireSame(shop, reference, `/api/categories?limit=2`)).rejects.toThrow('differently');
      },
    );
  });
});

describe('the router’s own renderer', () => {
  it('shows the copies that the shop’s page of a category shows', async () => {
    const url = `http://127.0.0.1:${port}`;
    await withReference('renderer', { SHOP_URL: url }, (reference) =>
      requireSame({ pid: process.pid, port }, reference, `/category/${category}`),
    );
  });
});
