import { parseCents } from '#contract/money/money.ts';
import { findUserByEmail, registerUser } from '#server/identity/sessions/identity.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { insertListings, readClock, type BulkListing } from '#server/catalog/listings/bulk-listing.queries.ts';
import { upsertTerms } from '#server/catalog/delivery/delivery.queries.ts';
import { NO_IMPRINT } from '#contract/law/declaration.ts';
import { upsertDeclaration } from '#server/law/declarations.queries.ts';
import { acceptTerms, putInForce } from '#server/law/declaring.service.ts';
import { openTexts } from '#server/law/texts.ts';
import { upsertPage } from '#server/sellers/sellers.queries.ts';
import { DEMO_ACCOUNTS } from './demo-accounts.ts';
import { DEMO_DELIVERY } from './demo-delivery.ts';
import { DEMO_ABOUT, DEMO_IDENTITIES, DEMO_IMPRINTS, DEMO_UNDECLARED } from './demo-sellers.ts';
import { insertDemoPassports } from './demo-passports.ts';
import { insertDemoStock } from './demo-stock.ts';
import { insertDemoWants } from './demo-wants.ts';
import { readDemoGoods, type DemoCopy, type DemoSeller } from './demo-goods.ts';
import {
  insertCategories,
  insertDemoDraft,
  insertDemoIdentity,
  insertDemoReductions,
  markSeeded,
  pauseDemoCopy,
  type DemoReduction,
} from './demo-shop.queries.ts';

const DAY_MS = 86_400_000;
/** Its seller has taken it off the shelf for a while. */
const PAUSED = 'Beowulf';
/** A form that its seller has begun and not sent; whoever tries the shop as a seller begins with an empty one. */
const DRAFT = {
  seller: 'hannah.weiss@example.com',
  fields: { title: 'Middlemarch', authors: 'George Eliot', condition: 'Good', resale_price: '6.50' },
};

/** The seller whom anybody may be. */
const TRIED = 'seller@example.com';
/** The buyer whom people try, and how many others look for the same books. */
const BUYER = 'buyer@example.com';
const OTHER_READERS = 4;

const REDUCED: readonly DemoReduction[] = [
  { title: 'Salt: A World History', seller: 'tomas.ibarra@example.com', wasCents: 850, daysAgo: 1 },
  { title: 'Camera Lucida', seller: 'seller@example.com', wasCents: 1050, daysAgo: 2 },
  { title: 'Silent Spring', seller: 'seller@example.com', wasCents: 900, daysAgo: 4 },
  { title: 'Longitude', seller: 'hannah.weiss@example.com', wasCents: 800, daysAgo: 3 },
  { title: 'The Myth of Sisyphus', seller: 'ruth.abernathy@example.com', wasCents: 900, daysAgo: 6 },
  { title: 'A Short History of Nearly Everything', seller: 'oddfellow.lane@example.com', wasCents: 750, daysAgo: 2 },
  { title: 'Understanding Comics', seller: 'jun.takeda@example.com', wasCents: 1400, daysAgo: 5 },
];

/**
 * Puts the demo shop in, once in a database's life and as a whole: its accounts, categories, sellers and copies.
 * Answers whether it did; a database that is not marked as demo is left alone.
 */
export const seedDemoShop = async (db: Db): Promise<boolean> => {
  const goods = await readDemoGoods();
  return db.transaction().execute(async (trx) => {
    if (!(await markSeeded(trx))) return false;
    await putInForce(
      trx,
      (await openTexts(undefined, { feeBasisPoints: 0, feeCents: 0, commissionBasisPoints: 0 })).terms,
    );
    const sellers = await registerAll(trx, goods.sellers);
    await insertCategories(trx, goods.categories);
    const now = await readClock(trx);
    await insertListings(
      trx,
      goods.copies.map((copy, place) => listingOf(copy, sellers, new Date(now.getTime() - ageMs(copy, place)))),
    );
    for (const { title, seller } of goods.copies.filter((copy) => copy.title === PAUSED)) {
      await pauseDemoCopy(trx, title, sellers.get(seller)?.id ?? '');
    }
    await insertDemoPassports(trx, goods.copies);
    await insertDemoReductions(trx, REDUCED);
    const tried = sellers.get(TRIED);
    if (tried !== undefined) await insertDemoStock(trx, tried.id);
    const buyer = await findUserByEmail(trx, BUYER);
    const others = [...sellers.values()].slice(0, OTHER_READERS).map(({ id }) => id);
    if (buyer !== undefined) await insertDemoWants(trx, buyer.id, others);
    const writer = sellers.get(DRAFT.seller);
    if (writer !== undefined) await insertDemoDraft(trx, writer.id, DRAFT.fields);
    return true;
  });
};

interface Registered extends DemoSeller {
  readonly id: string;
}

/** Only the three accounts that users try have a password; the other sellers never sign in. */
const registerAll = async (trx: Trx, sellers: readonly DemoSeller[]): Promise<ReadonlyMap<string, Registered>> => {
  const ids = new Map<string, string>();
  for (const account of DEMO_ACCOUNTS) {
    ids.set(account.email, await registerUser(trx, { ...account, emailProven: true }));
  }
  const registered = new Map<string, Registered>();
  for (const seller of sellers) {
    const { email, name, verified } = seller;
    const id =
      ids.get(email) ?? (await registerUser(trx, { email, name, roles: ['seller'], verified, emailProven: true }));
    registered.set(email, { ...seller, id });
    await upsertPage(trx, id, { about: DEMO_ABOUT[email] ?? '', place: seller.location });
    const imprint = DEMO_IMPRINTS[email];
    if (!DEMO_UNDECLARED.has(email))
      await upsertDeclaration(trx, id, { kind: imprint ? 'trader' : 'private', ...(imprint ?? NO_IMPRINT) });
    await acceptTerms(trx, id, 'seller');
    const identity = DEMO_IDENTITIES[email];
    if (identity !== undefined) await insertDemoIdentity(trx, id, identity.seen);
    const delivery = DEMO_DELIVERY.get(email);
    if (delivery !== undefined) await upsertTerms(trx, id, delivery);
  }
  return registered;
};

/** Copies of one day come in one by one, an odd number of minutes apart. */
const ageMs = (copy: DemoCopy, place: number): number => Number(copy.days_ago) * DAY_MS + ((place * 37) % 600) * 60_000;

const listingOf = (copy: DemoCopy, sellers: ReadonlyMap<string, Registered>, publishedAt: Date): BulkListing => {
  const seller = sellers.get(copy.seller);
  const originalCents = parseCents(copy.original_price);
  const resaleCents = parseCents(copy.resale_price);
  if (seller === undefined || originalCents === undefined || resaleCents === undefined) {
    throw new Error(`db/seed: "${copy.title}" has no known seller or no price`);
  }
  return {
    sellerId: seller.id,
    categoryId: copy.category_id,
    importKey: null,
    title: copy.title,
    authors: copy.authors,
    isbn13: copy.isbn13,
    publishedYear: copy.year === '' ? null : Number(copy.year),
    publisher: copy.publisher,
    originalCents,
    resaleCents,
    yearsOfUse: Number(copy.years_of_use),
    yearsKnown: true,
    originalKnown: true,
    imageUrl: '',
    location: seller.location,
    phone: seller.phone,
    details: copy.details,
    condition: copy.condition,
    publishedAt,
  };
};
