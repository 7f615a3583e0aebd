import { randomUUID } from 'node:crypto';
import { bookCopy } from '#server/bookings/booking.service.ts';
import { joinWaitlist } from '#server/bookings/waitlist/waitlist.service.ts';
import { registerUser } from '#server/identity/sessions/identity.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { putWant } from '#server/wants/wants.service.ts';
import { findPerson, findShelfCopy, putOnShelfAgain } from '#db/seed/orders/demo-orders.queries.ts';

/** Who has what the buyer of the demo waits for; never signs in. */
const OTHER_BUYER = { email: 'ana.soto@example.com', name: 'Ana Soto' };
const TO_PAY = { seller: 'clement.dubois@example.com', title: 'Sapiens: A Brief History of Humankind' };
const WAITED_FOR = { seller: 'ruth.abernathy@example.com', title: 'Dune' };

const WANTED = { seller: 'ruth.abernathy@example.com', title: 'Kindred' };

/**
 * Has the buyer of the demo hold a copy that is to be paid, and wait in line for one that somebody else holds: when
 * that hold ends, the copy is theirs. A third comes back on the shelf, which they asked for: the shop offers it to
 * them.
 */
export const seedDemoHolds = async (db: Db, holdMinutes: number): Promise<void> => {
  await db
    .transaction()
    .execute((trx) => registerUser(trx, { ...OTHER_BUYER, roles: ['buyer'], verified: false, emailProven: true }));
  const [buyer, other] = await Promise.all([findPerson(db, 'buyer@example.com'), findPerson(db, OTHER_BUYER.email)]);
  const hold = async (by: typeof buyer, which: typeof TO_PAY): Promise<string> => {
    const copy = await findShelfCopy(db, which);
    const { id, title, imageUrl, price } = copy;
    const draft = { listingId: id, title, image_url: imageUrl, price, buyer: by.name, email: by.email };
    await bookCopy(db, by, { ...draft, phone: '+1 555 0142', location: '' }, { holdMinutes, publicUrl: '' });
    return id;
  };
  await hold(buyer, TO_PAY);
  await joinWaitlist(db, buyer, await hold(other, WAITED_FOR));
  const draft = { title: WANTED.title, author: 'Octavia E. Butler', max_price: '10' };
  await putWant(db, buyer, { id: randomUUID(), draft, publicUrl: '' });
  await putOnShelfAgain(db, (await findShelfCopy(db, WANTED)).id);
};
