import { reasonOf, recordAudit, type Deed } from '#server/audit/audit.service.ts';
import { leaveAllLines } from '#server/bookings/waitlist/line.service.ts';
import { withdrawCopiesOf } from '#server/catalog/listings/seller-shelf.service.ts';
import {
  giveAdminRole,
  listPeople,
  lockPeople,
  removePerson,
  takeAdminRole,
  unverifyPerson,
  verifyPerson,
  type PeopleInput,
  type PeoplePage,
  type PersonFacts,
} from '#server/identity/users/people.service.ts';
import type { PaymentDeps } from '#server/payments/intents/payment.service.ts';
import { releaseHoldsOfBuyer } from '#server/payments/settlement/release.service.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { notFound } from '#server/platform/errors.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import {
  actorRefusal,
  deletionRefusal,
  demotionRefusal,
  promotionRefusal,
  verificationRefusal,
} from './moderation.policy.ts';

/** Deleting somebody asks the payment provider to cancel what they had begun to pay. */
export type ModerationDeps = PaymentDeps;

/** All users for admins, the newest first. */
export const listUsers = async (db: Db, viewer: Viewer, input: PeopleInput): Promise<PeoplePage> => {
  requireAdmin(viewer);
  return listPeople(db, { onlySellers: false }, input);
};

/** All sellers for admins, the newest first. */
export const listSellers = async (db: Db, viewer: Viewer, input: PeopleInput): Promise<PeoplePage> => {
  requireAdmin(viewer);
  return listPeople(db, { onlySellers: true }, input);
};

/**
 * Does `work` on a person in one transaction, both rows locked: an admin who was deleted a moment ago does nothing more,
 * and of two who delete each other one remains. 404 for an unknown or deleted person.
 */
const onPerson = <T>(
  db: Db,
  viewer: Viewer,
  personId: string,
  work: (trx: Trx, person: PersonFacts, actorId: string) => Promise<T>,
): Promise<T> => {
  const { userId: actorId } = requireAdmin(viewer);
  // An id may be written in capitals; rows are compared by their own spelling.
  const id = personId.toLowerCase();
  return db.transaction().execute(async (trx) => {
    const people = await lockPeople(trx, [actorId, id]);
    const refusal = actorRefusal(people.find((person) => person.id === actorId));
    if (refusal !== undefined) throw refusal;
    const person = people.find((one) => one.id === id);
    if (person === undefined) throw notFound('There is no such user');
    return work(trx, person, actorId);
  });
};

const subjectOf = ({ id }: PersonFacts) => ({ kind: 'user', id });

/** Makes a user an admin; answers how many people changed: 0 when they were one. */
export const makeAdmin = async (db: Db, config: Config, viewer: Viewer, personId: string): Promise<number> =>
  onPerson(db, viewer, personId, async (trx, person, actorId) => {
    if (person.isAdmin) return 0;
    const refusal = promotionRefusal(person, config.mode);
    if (refusal !== undefined) throw refusal;
    await giveAdminRole(trx, person.id);
    await recordAudit(trx, { actorId, action: 'user made admin', subject: subjectOf(person) });
    return 1;
  });

interface TakingBack {
  readonly id: string;
  readonly reason: string;
}

/** Takes the admin role from somebody else; answers how many people changed: 0 when they were no admin. */
export const removeAdmin = async (db: Db, viewer: Viewer, { id, reason: text }: TakingBack): Promise<number> =>
  onPerson(db, viewer, id, async (trx, person, actorId) => {
    const reason = reasonOf(text);
    const refusal = demotionRefusal(actorId, person.id);
    if (refusal !== undefined) throw refusal;
    if (!person.isAdmin) return 0;
    await takeAdminRole(trx, person.id, reason);
    await recordAudit(trx, { actorId, action: 'admin role removed', subject: subjectOf(person), details: { reason } });
    return 1;
  });

/** Verifies a seller; answers how many people changed: 0 when they were verified. */
export const verifySeller = async (db: Db, viewer: Viewer, personId: string): Promise<number> =>
  onPerson(db, viewer, personId, async (trx, person, actorId) => {
    const refusal = verificationRefusal(person);
    if (refusal !== undefined) throw refusal;
    if (person.verified) return 0;
    await verifyPerson(trx, person.id);
    await recordAudit(trx, { actorId, action: 'user verified', subject: subjectOf(person) });
    return 1;
  });

/** Takes the tick from a seller; answers how many people changed: 0 when they had none. */
export const removeVerification = async (db: Db, viewer: Viewer, { id, reason: text }: TakingBack): Promise<number> =>
  onPerson(db, viewer, id, async (trx, person, actorId) => {
    const reason = reasonOf(text);
    if (!person.verified) return 0;
    await unverifyPerson(trx, person.id, reason);
    await recordAudit(trx, {
      actorId,
      action: 'verification removed',
      subject: subjectOf(person),
      details: { reason },
    });
    return 1;
  });

/**
 * Takes somebody out of the shop: out of sight, signed out and off the shelves, and written down. The caller holds the
 * person's row lock and releases their holds afterwards.
 */
export const takeOut = async (
  trx: Trx,
  deed: { personId: string; actorId: string; action: Deed['action'] },
): Promise<void> => {
  await removePerson(trx, deed.personId);
  await leaveAllLines(trx, deed.personId);
  const withdrawn = await withdrawCopiesOf(trx, deed.personId);
  const subject = { kind: 'user', id: deed.personId };
  await recordAudit(trx, { actorId: deed.actorId, action: deed.action, subject, details: { withdrawn } });
};

/**
 * Deletes a user: out of sight, signed out and off the shelves in one transaction; then their unpaid holds are released, an
 * intent that had succeeded settling instead. A hold that cannot be released now is told to `onError` and left to the sweep.
 */
export const deleteUser = async (
  deps: ModerationDeps,
  viewer: Viewer,
  personId: string,
  onError: (error: unknown, bookingId: string) => void,
): Promise<number> => {
  const deletedId = await onPerson(deps.db, viewer, personId, async (trx, person, actorId) => {
    const refusal = deletionRefusal(actorId, person.id);
    if (refusal !== undefined) throw refusal;
    await takeOut(trx, { personId: person.id, actorId, action: 'user deleted' });
    return person.id;
  });
  await releaseHoldsOfBuyer(deps, deletedId, onError);
  return 1;
};
