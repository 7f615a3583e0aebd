import { findUserByEmail } from '#server/identity/sessions/identity.service.ts';
import { findSuspensionOf } from '#server/moderation/suspending/suspending.service.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { CannotImport } from './refusal.ts';

/** The seller of an address, as if they asked themselves; whoever has the database may act for them. */
export const sellerOf = async (db: Db, email: string): Promise<SignedIn> => {
  const user = await findUserByEmail(db, email);
  if (user === undefined)
    throw new CannotImport(`Nobody has the address ${email}: sign up in the shop and choose Seller first.`);
  if (!user.isSeller) throw new CannotImport(`${email} is no seller's: choose Seller in the shop first.`);
  if ((await findSuspensionOf(db, user.id)).suspension !== null)
    throw new CannotImport(`${email} is suspended and lists nothing.`);
  return {
    kind: 'signed-in',
    userId: user.id,
    email: user.email,
    name: user.name,
    isAdmin: false,
    isSeller: true,
    isBuyer: false,
    emailProvenAt: user.emailProvenAt,
    isSuspended: false,
    sessionId: '',
    hasFreshSignIn: false,
    secondFactor: 'not needed',
  };
};
