import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { sql } from 'kysely';
import { offerListing, type Listing } from '#contract/catalog/catalog.ts';
import { joinWaitlist } from '#contract/bookings/waitlist.ts';
import { refundBooking } from '#contract/money/money-admin.ts';
import { newestSigningKey } from '#server/identity/sessions/signing-keys.ts';
import type { Credential, TestApp } from '#test/app.ts';
import { aDeal, aSale } from '#test/deal.ts';
import { aBooking, aCategory, aDraft, aListing, aUser, credentialsOf, type TestUser } from '#test/make.ts';

/** Who calls. `other` has the role a call is for, and what it is about belongs to somebody else. */
export const CALLERS = ['none', 'buyer', 'seller', 'admin', 'other', 'deleted', 'expired', 'ended'] as const;
export type Caller = (typeof CALLERS)[number];

/**
 * The people of the scene and what is theirs: the bookings and the passkey are the buyer's, the copies the seller's.
 */
export interface Scene {
  readonly buyer: TestUser;
  readonly seller: TestUser;
  readonly admin: TestUser;
  readonly otherBuyer: TestUser;
  readonly otherSeller: TestUser;
  /** Their account is gone; they still have the token and the cookie. */
  readonly deleted: TestUser;
  /** Their token is of this shop and eleven minutes old; they have no cookie. */
  readonly expired: TestUser;
  /** They signed out, and still have the token and the cookie. */
  readonly ended: TestUser;
  readonly category: string;
  readonly copy: Listing;
  readonly booking: string;
  /** Held by a buyer who never calls, so that there is a line to wait in behind it. */
  readonly heldCopy: string;
  /** Held by the other buyer; the buyer waits for it. */
  readonly awaitedCopy: string;
  /** The buyer paid the seller for it. */
  readonly paidBooking: string;
  /** Of the paid booking. */
  readonly order: string;
  /** Each was bought by the buyer and refunded; nobody has decided yet what becomes of it. */
  readonly refundedCopies: { readonly toRelist: string; readonly toWithdraw: string };
  readonly passkey: string;
  /** A session of the buyer, beside the one they call with. */
  readonly session: string;
}

const sessionOf = async (t: TestApp, userId: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sessions WHERE user_id = ${userId} ORDER BY created_at DESC LIMIT 1`.execute(t.db);
  return rows[0]?.id ?? 'none';
};

const aPasskey = async (t: TestApp, owner: TestUser): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name)
    VALUES (${owner.id}, ${randomUUID()}, '\\x00', 0, '{}', 'Key') RETURNING id`.execute(t.db);
  return rows[0]?.id ?? 'none';
};

/** The token that the person had eleven minutes ago, signed by the shop's own key. */
const expiredToken = async (t: TestApp, person: TestUser): Promise<string> => {
  const { kid, privateKey } = await newestSigningKey(t.db);
  const now = Math.floor(Date.now() / 1_000);
  return new SignJWT({ sid: await sessionOf(t, person.id) })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
    .setIssuer(t.config.publicUrl)
    .setAudience('dogear-api')
    .setSubject(person.id)
    .setIssuedAt(now - 660)
    .setExpirationTime(now - 60)
    .sign(privateKey);
};

const orderOf = async (t: TestApp, bookingId: string): Promise<string> => {
  const row = await t.db.selectFrom('bookings').select('order_id').where('id', '=', bookingId).executeTakeFirst();
  return row?.order_id ?? 'none';
};

/** A copy that the buyer paid for and an admin refunded; answers its id. */
const aRefundedCopy = async (t: TestApp, parts: Parameters<typeof aSale>[1], admin: TestUser): Promise<string> => {
  const { bookingId, copy } = await aSale(t, parts);
  const refunded = await t.call(refundBooking, { params: { id: bookingId } }, { as: admin });
  if (refunded.status !== 200) throw new Error(`not refunded: ${JSON.stringify(refunded.body)}`);
  return copy._id;
};

export const setScene = async (t: TestApp): Promise<Scene> => {
  const all = ['buyer', 'seller', 'admin'] as const;
  const [buyer, seller, admin, otherBuyer, otherSeller, deleted, expired, ended] = await Promise.all([
    aUser(t, { roles: ['buyer'] }),
    aUser(t, { roles: ['seller'] }),
    aUser(t, { roles: ['admin'] }),
    aUser(t, { roles: ['buyer'] }),
    aUser(t, { roles: ['seller'] }),
    // Whatever they may have been allowed: nothing is left of it.
    aUser(t, { roles: [...all] }),
    aUser(t, { roles: [...all] }),
    aUser(t, { roles: [...all] }),
  ]);
  const category = await aCategory(t, seller);
  const [copy, held] = [
    await aListing(t, seller, { category_id: category }),
    await aListing(t, seller, { category_id: category }),
  ];
  const [deal, otherDeal] = [
    await aDeal(t, { seller, category }),
    await aDeal(t, { buyer: otherBuyer, seller, category }),
  ];
  // One after the other: what one buyer pays takes turns, and on a busy machine the last would wait too long for it.
  const sale = await aSale(t, { buyer, seller, category });
  const toRelist = await aRefundedCopy(t, { buyer, seller, category }, admin);
  const toWithdraw = await aRefundedCopy(t, { buyer, seller, category }, admin);
  await t.call(joinWaitlist, { params: { id: otherDeal.copy._id } }, { as: buyer });
  const session = await credentialsOf(t, buyer.email).then(() => sessionOf(t, buyer.id));
  const stale = { ...expired, accessToken: await expiredToken(t, expired), cookie: '' };
  await t.send('POST', '/api/auth/sign-out', { as: ended });
  await sql`UPDATE users SET deleted_at = now() WHERE id = ${deleted.id}`.execute(t.db);
  return {
    buyer,
    seller,
    admin,
    otherBuyer,
    otherSeller,
    deleted,
    expired: stale,
    ended,
    category,
    copy,
    session,
    booking: await aBooking(t, buyer, held),
    heldCopy: deal.copy._id,
    awaitedCopy: otherDeal.copy._id,
    paidBooking: sale.bookingId,
    order: await orderOf(t, sale.bookingId),
    refundedCopies: { toRelist, toWithdraw },
    passkey: await aPasskey(t, buyer),
  };
};

/** A copy of the seller that nobody has looked at yet. */
export const aFreshCopy = async (t: TestApp, scene: Scene): Promise<Listing> => {
  const made = await t.call(offerListing, { body: aDraft(scene.seller, scene.category) }, { as: scene.seller });
  return { ...scene.copy, _id: made.body.insertedId };
};

/** What a caller sends along. */
export const credentialOf = (caller: Caller, person: TestUser): Credential | undefined =>
  caller === 'none'
    ? undefined
    : { accessToken: person.accessToken, cookie: person.cookie === '' ? undefined : person.cookie };
