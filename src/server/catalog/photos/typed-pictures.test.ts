import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { editListing, offerListing, readListing } from '#contract/catalog/catalog.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { aBookingDraft, aBuyer, aCategory, aDraft, aSeller, type TestUser } from '#test/make.ts';
import { aPicture } from '#test/photos.ts';

let t: TestApp;
let seller: TestUser;
let category: string;
beforeAll(async () => {
  t = await testApp();
  seller = await aSeller(t);
  category = await aCategory(t, seller);
});
afterAll(() => t.close());

describe('an address that is typed', () => {
  const fetched: string[] = [];
  const picture = aPicture();
  let fetching: TestApp;
  beforeAll(async () => {
    fetching = await testApp({
      beside: t,
      fetchPicture: async (url) => {
        fetched.push(url);
        if (url.includes('text')) return { bytes: Buffer.from('no picture') };
        if (url.includes('away')) return { refused: 'The other side is away', later: true };
        if (url.includes('none')) return { refused: 'There is no picture at this address', later: false };
        return { bytes: await picture };
      },
    });
  });
  afterAll(() => fetching.close());

  const offerAt = (image_url: string) =>
    fetching.call(offerListing, { body: aDraft(seller, category, { image_url }) }, { as: seller });

  test('is fetched once, and is a photo from then on, also where it is typed or booked by again', async () => {
    const address = 'https://images.example/once.jpg';
    const { status, body } = await offerAt(address);
    expect(status).toBe(201);
    const copy = (await t.call(readListing, { params: { id: body.insertedId } })).body;
    expect(copy.photos).toMatchObject([{ width: 400, height: 300, caption: null }]);
    expect(copy.image_url).toBe(`${t.config.publicUrl}/photos/${copy.photo?.name}/720.webp`);
    for (const image_url of [address, copy.image_url]) {
      const answer = await fetching.call(
        editListing,
        { params: { id: copy._id }, body: { image_url } },
        { as: seller },
      );
      expect(answer.body).toEqual({ modifiedCount: 0 });
    }
    expect(fetched).toEqual([address]);
    const buyer = await aBuyer(t);
    const draft = { ...aBookingDraft(buyer, copy), image_url: address };
    expect((await t.call(bookCopy, { body: draft }, { as: buyer })).status).toBe(201);
    const row = await t.db
      .selectFrom('photos')
      .selectAll()
      .where('id', '=', copy.photos[0]?.id ?? '')
      .executeTakeFirst();
    expect(row).toMatchObject({ owner_id: seller.id, fetched_from: address });
  });

  test('that holds no picture is refused with a sentence; what cannot be reached from a demo is kept for later', async () => {
    for (const [address, message] of [
      ['https://images.example/none.jpg', 'There is no picture at this address'],
      ['https://images.example/text.jpg', 'Please choose a JPEG, PNG, WebP or AVIF picture'],
    ] as const) {
      const { status, body } = await offerAt(address);
      expect([status, body.error?.fields]).toEqual([400, { image_url: message }]);
    }
    const { body } = await offerAt('https://images.example/away.jpg');
    expect((await t.call(readListing, { params: { id: body.insertedId } })).body).toMatchObject({
      image_url: 'https://images.example/away.jpg',
      photo: null,
    });
  });
});
