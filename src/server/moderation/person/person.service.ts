import { MOST_OF_PERSON, type Person } from '#contract/admin/person.ts';
import { dollarsOf } from '#contract/money/money.ts';
import { inSentence } from '#contract/text.ts';
import { listSignIns } from '#server/identity/sessions/sign-ins.service.ts';
import { findListedUser } from '#server/identity/users/user-lists.service.ts';
import { imprintOfSeller } from '#server/law/declaring.service.ts';
import { findIdentityOf, readSoldInAYear } from '#server/moderation/identity/identity-checks.service.ts';
import { findSuspensionOf } from '#server/moderation/suspending/suspending.service.ts';
import { listSameCard } from '#server/payments/payment-export.service.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import { listOrdersOf, listSameBank, readNumbers } from './person.queries.ts';

/** What admins know of somebody; 404 for whom there is not. */
export const readPerson = async (db: Db, viewer: Viewer, id: string): Promise<Person> => {
  requireAdmin(viewer);
  const [user, n] = [await findListedUser(db, id), await readNumbers(db, id)];
  if (user === undefined || n === undefined) throw notFound('There is no such user');
  const [{ suspension }, orders, signIns, sameBank, sameCard, declared, identity, year] = [
    await findSuspensionOf(db, id),
    await listOrdersOf(db, id, MOST_OF_PERSON),
    await listSignIns(db, id, MOST_OF_PERSON),
    await listSameBank(db, id),
    await listSameCard(db, id),
    await imprintOfSeller(db, id),
    await findIdentityOf(db, id),
    await readSoldInAYear(db, id),
  ];
  return {
    user,
    sellerSlug: n.sellerSlug,
    emailProven: n.emailProven,
    suspension,
    listings: { onShelf: n.onShelf, paused: n.paused, sold: n.sold, removed: n.removed },
    bought: {
      orders: n.boughtOrders,
      open: n.boughtOpen,
      paid: dollarsOf(n.paidCents),
      refunded: dollarsOf(n.refundedCents),
      disputes: n.boughtDisputes,
    },
    sold: {
      orders: n.soldOrders,
      open: n.soldOpen,
      taken: dollarsOf(n.takenCents),
      due: dollarsOf(n.dueCents),
      disputes: n.soldDisputes,
    },
    reports: { about: n.reportsAbout, upheld: n.reportsUpheld, by: n.reportsBy },
    orders: orders.map(({ id: orderId, titles, at, ...row }) => ({
      _id: orderId,
      title: inSentence(titles),
      at: at.toISOString(),
      ...row,
    })),
    signIns: signIns.map(({ device, since, usedAt }) => ({
      device,
      since: since.toISOString(),
      usedAt: usedAt.toISOString(),
    })),
    sameBank: sameBank.map(({ id: otherId, name }) => ({ _id: otherId, name })),
    sameCard: sameCard.map(({ id: otherId, name, last4 }) => ({ _id: otherId, name, last4 })),
    sellsAs: declared.sellsAs,
    business: declared.imprint?.business ?? '',
    identity,
    year: { sales: year.sales, taken: dollarsOf(year.cents) },
  };
};
