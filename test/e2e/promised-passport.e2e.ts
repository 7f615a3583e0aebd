// What was promised of a copy: asked about when its seller changes it, kept with the order, ticked where it is untrue.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PassportDraft } from '#contract/catalog/passport/passport.ts';
import { becoming } from '#server/catalog/listings/listing.queries.ts';
import { expectAccessible } from './axe.ts';
import { payByPost } from './by-post.ts';
import { alive } from './failing.ts';
import { openJourney, type Journey } from './journey.ts';
import { shoot } from './pictures.ts';

let j: Journey;
beforeAll(async () => {
  j = await openJourney();
});
afterAll(() => j.close());

const PASSPORT: PassportDraft = {
  binding: 'hardcover',
  signed: 'signed',
  jacket: 'with',
  defects: [{ defect: 'corners', degree: 'slight' }],
};

/** A copy of the demo seller's, booked by the demo buyer, whose hold is over. */
const aLapsedBooking = async (): Promise<{ id: string; listingId: string }> => {
  const { db, buyer, seller } = j;
  const [person, category, buying] = await Promise.all([
    db.selectFrom('users').select('name').where('email', '=', 'seller@example.com').executeTakeFirstOrThrow(),
    db.selectFrom('categories').select('id').limit(1).executeTakeFirstOrThrow(),
    db.selectFrom('users').select('name').where('email', '=', 'buyer@example.com').executeTakeFirstOrThrow(),
  ]);
  const copy = { title: 'The Signed Atlas', image_url: 'https://images.example/atlas.jpg', resale_price: 7.5 };
  const { insertedId: listingId } = await seller.call<{ insertedId: string }>('POST', '/categories', {
    ...copy,
    email: 'seller@example.com',
    Seller: person.name,
    category_id: category.id,
    original_price: 20,
    phone: '+1 555 0100',
    location: 'Portland',
    years_of_use: 2,
    details: 'Maps in good order.',
    passport: PASSPORT,
  });
  const { insertedId: id } = await buyer.call<{ insertedId: string }>('POST', '/bookings', {
    listingId,
    title: copy.title,
    image_url: copy.image_url,
    price: copy.resale_price,
    buyer: buying.name,
    email: 'buyer@example.com',
    phone: '+1 555 0142',
    location: '',
  });
  await db.deleteFrom('holds').where('booking_id', '=', id).execute();
  await db.updateTable('listings').set(becoming('available')).where('id', '=', listingId).execute();
  return { id, listingId };
};

test('the buyer is asked about what its seller changed, goes on, and ticks later what is untrue', async () => {
  const { buyer, seller } = j;
  const { page } = buyer;
  const { id, listingId } = await aLapsedBooking();
  const signed = { ...PASSPORT, signed: 'inscribed', defects: [{ defect: 'leaning', degree: 'slight' }] };
  await seller.call('PATCH', `/categories/${listingId}`, { passport: signed });

  await page.goto(`/dashboard/payment/${id}`);
  const changed = page.getByRole('region', { name: 'The Signed Atlas has changed' });
  const cells = async (name: string) => changed.getByRole('row', { name }).getByRole('cell').allTextContents();
  await changed.waitFor();
  expect(await cells('Signature')).toEqual(['Signed', 'Inscribed to somebody']);
  expect(await cells('Defects')).toEqual(['Corners bumped (slight)', 'Leaning or bowed (slight)']);
  await expectAccessible(page, 'a copy whose description was changed');
  await shoot(page, 'promise-then-and-now');
  await changed.getByRole('button', { name: /^Go on/ }).click();
  await payByPost(page);

  const { orderId } = await buyer.call<{ orderId: string }>('GET', `/bookings/${id}`);
  await seller.call('POST', `/orders/${orderId}/moves`, { move: 'post', carrier: 'USPS', tracking: '9400' });
  await buyer.call('POST', `/orders/${orderId}/moves`, { move: 'receive' });
  await page.goto(`/dashboard/orders/${orderId}`);
  await alive(page);
  await page.getByText('As it was promised').click();
  await page.getByText('Kept unchanged since it was booked.').waitFor();
  await page.getByRole('definition').filter({ hasText: 'Inscribed to somebody' }).waitFor();
  await shoot(page, 'order-promise');

  await page
    .getByRole('group', { name: 'More' })
    .getByRole('button', { name: 'Report a problem', exact: true })
    .click();
  const report = page.getByRole('dialog', { name: 'Report a problem' });
  await report.getByLabel('In your words').fill('There is no writing of the author in it.');
  await report.getByRole('button', { name: 'Report a problem' }).click();
  await report.getByText('Choose what is wrong').waitFor();
  expect(await report.getByRole('radio').count()).toBeGreaterThan(8);
  await report.getByRole('radio', { name: /^Signature/ }).check();
  await expectAccessible(page, 'a promise to tick');
  await shoot(page, 'promise-to-tick');
  await report.getByRole('button', { name: 'Report a problem' }).click();
  await page.getByRole('heading', { level: 1, name: 'There is a problem' }).waitFor();

  await seller.page.goto(`/dashboard/orders/${orderId}`);
  await seller.page.getByText('It is not as described: the signature').waitFor();
  await seller.page.getByText('Promised: Inscribed to somebody').waitFor();
});
