import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offerListing, readListing } from '#contract/catalog/catalog.ts';
import { readOrder } from '#contract/orders/orders.ts';
import { sweepPhotos } from '#server/catalog/photos/photo-sweep.service.ts';
import { forgetSeller } from '#server/catalog/listings/shelf/leaving-seller.service.ts';
import { forgetInOrders } from '#server/orders/leaving/forgetting.service.ts';
import { testApp, type TestApp } from '#test/app.ts';
import { bookingOf, payAtProvider, recordPaid } from '#test/deal.ts';
import { aBooking, aBuyer, aCategory, aDraft, aSeller } from '#test/make.ts';
import { aPhoto } from '#test/photos.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test('what a seller who left had promised, and a buyer had shown of a problem, goes 180 days after the order', async () => {
  const [seller, buyer] = [await aSeller(t), await aBuyer(t)];
  const { image_url: _, ...draft } = aDraft(seller, await aCategory(t, seller));
  const photos = [{ id: (await aPhoto(t, seller)).id, caption: null }];
  const made = await t.call(offerListing, { body: { ...draft, photos } }, { as: seller });
  const copy = (await t.call(readListing, { params: { id: made.body.insertedId } })).body;
  const deal = { buyer, seller, copy, bookingId: await aBooking(t, buyer, copy) };
  await recordPaid(t, deal, await payAtProvider(t, deal));
  const orderId = (await bookingOf(t, deal)).orderId ?? '';
  const shown = await aPhoto(t, buyer);
  await t.db.insertInto('order_photos').values({ order_id: orderId, position: 0, photo_id: shown.id }).execute();
  const promised = () => t.app.inject({ url: `/photos/${copy.photo?.name}/720.webp` }).then((one) => one.statusCode);
  const forget = async (): Promise<void> => {
    await forgetSeller(t.db, seller.id);
    for (const { id } of [seller, buyer]) await forgetInOrders(t.db, id, t.config.orders.addressDays);
    await sweepPhotos({ db: t.db, store: t.photos });
  };
  const endedAgo = (days: number) =>
    sql`UPDATE orders SET state = 'closed', outcome = 'completed', due_at = NULL, due_move = NULL,
      closed_at = shop_now() - make_interval(days => ${days}::integer) WHERE id = ${orderId}`.execute(t.db);

  await endedAgo(179);
  await forget();
  const order = await t.call(readOrder, { params: { id: orderId } }, { as: buyer });
  expect(order.body.books[0]?.photos).toMatchObject([{ name: copy.photo?.name }]);
  expect(await promised()).toBe(200);
  expect((await t.call(readListing, { params: { id: copy._id } })).body).toMatchObject({ image_url: '', photos: [] });

  await endedAgo(181);
  await forget();
  expect(await promised()).toBe(404);
  const later = await t.call(readOrder, { params: { id: orderId } }, { as: buyer });
  expect(later.body.books[0]).toMatchObject({ image_url: '', photos: [] });
  const left = await t.db.selectFrom('photo_files').select('name').execute();
  expect(left).toEqual([]);
});
