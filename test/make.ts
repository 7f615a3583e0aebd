import { randomUUID } from 'node:crypto';
import type { Booking } from '#contract/bookings/bookings.ts';
import { bookCopy } from '#contract/bookings/bookings.ts';
import { addCategory, offerListing, readListing, type Listing, type ListingDraft } from '#contract/catalog/catalog.ts';
import { issueAccessToken, signIn, type Role } from '#contract/users/identity.ts';
import { sessionCookieName } from '#server/http/auth.ts';
import { findUserByEmail, registerUser } from '#server/identity/sessions/identity.service.ts';
import { hashPassword } from '#server/identity/passwords/password-hash.ts';
import { startSession } from '#server/identity/sessions/sessions.service.ts';
import type { TestApp } from './app.ts';

export const PASSWORD = 'Correct#Horse';

/** A signed-in person with both proofs of who they are. */
export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly accessToken: string;
  readonly cookie: string;
}

/** Made once a process: a person of a test is not about the cost of a password. */
let passwordHash: Promise<string> | undefined;

/** A session as signing in starts it, without the password. */
const sessionFor = async (t: TestApp, email: string): Promise<string> => {
  const person = await findUserByEmail(t.db, email);
  if (person === undefined) throw new Error(`${email} is nobody`);
  const session = await t.db
    .transaction()
    .execute((trx) =>
      startSession(trx, t.config, { user: person, way: { kind: 'new' }, userAgent: '', replaces: undefined }),
    );
  return `${sessionCookieName(t.config.https)}=${session.token}`;
};

/** A person with the given roles, who has PASSWORD and is signed in. */
export const aUser = async (
  t: TestApp,
  options: { roles?: Role[]; verified?: boolean; email?: string; name?: string; emailProven?: boolean } = {},
): Promise<TestUser> => {
  const email = options.email ?? `u${randomUUID().replaceAll('-', '')}@example.com`;
  const name = options.name ?? 'Ada Reader';
  const id = await registerUser(t.db, {
    email,
    name,
    roles: options.roles ?? [],
    verified: options.verified ?? false,
    emailProven: options.emailProven ?? true,
  });
  passwordHash ??= hashPassword(PASSWORD);
  await t.db
    .updateTable('users')
    .set({ password_hash: await passwordHash })
    .where('id', '=', id)
    .execute();
  const cookie = await sessionFor(t, email);
  return { id, email, name, cookie, accessToken: await accessTokenOf(t, email, cookie) };
};

const accessTokenOf = async (t: TestApp, email: string, cookie: string): Promise<string> => {
  const issued = await t.call(issueAccessToken, { query: { email } }, { as: { cookie } });
  if (issued.status !== 200) throw new Error(`no token: ${JSON.stringify(issued.body)}`);
  return issued.body.accessToken;
};

/** Signs in and fetches an access token. */
export const credentialsOf = async (
  t: TestApp,
  email: string,
  password = PASSWORD,
): Promise<{ accessToken: string; cookie: string }> => {
  const signedIn = await t.call(signIn, { body: { email, password } });
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  return { cookie, accessToken: await accessTokenOf(t, email, cookie) };
};

export const aBuyer = (t: TestApp): Promise<TestUser> => aUser(t, { roles: ['buyer'] });
export const aSeller = (t: TestApp): Promise<TestUser> => aUser(t, { roles: ['seller'] });
export const anAdmin = (t: TestApp): Promise<TestUser> => aUser(t, { roles: ['admin'] });

/** A category of its own; answers its id. */
export const aCategory = async (t: TestApp, seller: TestUser): Promise<string> => {
  const id = `c-${randomUUID()}`;
  const answer = await t.call(addCategory, { body: { category_id: id, category_name: id } }, { as: seller });
  if (answer.status !== 201) throw new Error(`no category: ${JSON.stringify(answer.body)}`);
  return id;
};

/** A listing that may be sent as it is. */
export const aDraft = (seller: TestUser, categoryId: string, more: Partial<ListingDraft> = {}): ListingDraft => ({
  email: seller.email,
  Seller: seller.name,
  category_id: categoryId,
  image_url: 'https://images.example/cover.jpg',
  title: 'The Left Hand of Darkness',
  original_price: '18.00',
  resale_price: '7.50',
  phone: '+1 555 0100',
  location: 'Portland',
  years_of_use: 3,
  details: 'Spine uncreased, one dog-eared page.',
  condition: 'Good',
  ...more,
});

/** A copy for sale, listed through the API. */
export const aListing = async (t: TestApp, seller: TestUser, more: Partial<ListingDraft> = {}): Promise<Listing> => {
  const categoryId = more.category_id ?? (await aCategory(t, seller));
  const made = await t.call(offerListing, { body: aDraft(seller, categoryId, more) }, { as: seller });
  if (made.status !== 201) throw new Error(`no listing: ${JSON.stringify(made.body)}`);
  return (await t.call(readListing, { params: { id: made.body.insertedId } })).body;
};

/** What a booking form sends for a listing. */
export const aBookingDraft = (buyer: TestUser, listing: Listing) => ({
  listingId: listing._id,
  title: listing.title,
  buyer: buyer.name,
  email: buyer.email,
  image_url: listing.image_url,
  phone: '+1 555 0199',
  price: listing.resale_price,
  location: 'Seattle',
});

/** An unpaid booking of a listing; answers its id. */
export const aBooking = async (t: TestApp, buyer: TestUser, listing: Listing): Promise<Booking['_id']> => {
  const made = await t.call(bookCopy, { body: aBookingDraft(buyer, listing) }, { as: buyer });
  if (made.status !== 201) throw new Error(`no booking: ${JSON.stringify(made.body)}`);
  return made.body.insertedId;
};
