import { recordAudit } from '#server/audit/audit.service.ts';
import { findUserByEmail } from '#server/identity/sessions/identity.service.ts';
import {
  giveAdminRole,
  listAdmins,
  lockUsers,
  type AdminFacts,
  type UserFacts,
} from '#server/identity/users/user-lists.service.ts';
import { dropPasskeys } from '#server/identity/passkeys/passkeys.service.ts';
import type { Mode } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { promotionRefusal } from './moderation.policy.ts';

/** What whoever runs the shop asked for cannot be done; the message is a sentence for them. */
export class CannotGrant extends Error {
  override readonly name = 'CannotGrant';
}

interface Who {
  readonly name: string;
  readonly email: string;
}

/** Does `work` on the user with this address, their row locked. */
const onUserOf = async <T>(
  db: Db,
  email: string,
  work: (trx: Trx, user: UserFacts, who: Who) => Promise<T>,
): Promise<T> => {
  const found = await findUserByEmail(db, email);
  const nobody = new CannotGrant(`Nobody has an account with the address ${email}.`);
  if (found === undefined) throw nobody;
  return db.transaction().execute(async (trx) => {
    const [user] = await lockUsers(trx, [found.id]);
    if (user === undefined) throw nobody;
    return work(trx, user, { name: found.name, email: found.email });
  });
};

/**
 * Makes somebody an admin on behalf of whoever runs the shop, who needs no account for it: this is how the first admin
 * comes about. `operator` is their name on the machine, written down with the deed. Answers false when the user was one
 * already.
 */
export const grantAdmin = (
  db: Db,
  input: { email: string; mode: Mode; operator: string },
): Promise<Who & { granted: boolean }> =>
  onUserOf(db, input.email, async (trx, user, who) => {
    if (user.isAdmin) return { granted: false, ...who };
    if (promotionRefusal(user, input.mode) !== undefined) {
      throw new CannotGrant(`${who.email} is not confirmed yet: its owner opens the link of the welcome mail first.`);
    }
    await giveAdminRole(trx, user.id);
    const details = { operator: input.operator };
    const subject = { kind: 'user', id: user.id };
    await recordAudit(trx, { actorId: null, action: 'user made admin', subject, details });
    return { granted: true, ...who };
  });

/**
 * Takes away every passkey and recovery code of somebody who lost them all, and signs them out everywhere: they sign in
 * another way and add a new one. Answers how many passkeys there were.
 */
export const forgetPasskeys = (
  db: Db,
  input: { email: string; operator: string },
): Promise<Who & { passkeys: number }> =>
  onUserOf(db, input.email, async (trx, user, who) => {
    const passkeys = await dropPasskeys(trx, user.id);
    const details = { operator: input.operator, passkeys };
    await recordAudit(trx, {
      actorId: null,
      action: 'passkeys forgotten',
      subject: { kind: 'user', id: user.id },
      details,
    });
    return { passkeys, ...who };
  });

/** The admins of the shop, for whoever runs it. */
export const listShopAdmins = (db: Db): Promise<AdminFacts[]> => listAdmins(db);
