import { formatDollars, dollarsOf } from '#contract/money/money.ts';
import { endLook, type CopyToLookAt, type HoldForLook } from '#server/catalog/listings/looks.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { findMailedUser } from '#server/moderation/suspending/suspending.service.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { countListed, readUsualPrice } from './holding.queries.ts';
import { findHeld, insertReport, openCase } from './reports.queries.ts';

/** What an operator has held for a look: 0 for nothing. */
export interface HoldingRules {
  /** The first so many copies of a seller whom the shop has not verified. */
  readonly firstListings: number;
  /** Prices below so many percent of what the edition usually costs. */
  readonly belowPercent: number;
}

const whyHeld = async (trx: Trx, rules: HoldingRules, copy: CopyToLookAt): Promise<string | undefined> => {
  const { sellerId, isbn13, resaleCents, isNew } = copy;
  if (isNew && rules.firstListings > 0) {
    const { listed, verified } = await countListed(trx, { sellerId, limit: rules.firstListings + 1 });
    if (!verified && listed <= rules.firstListings) return `One of the first books of a new seller (number ${listed}).`;
  }
  if (rules.belowPercent > 0 && isbn13 !== '') {
    const usual = await readUsualPrice(trx, { isbn13, sellerId });
    if (usual !== undefined && resaleCents * 100 < usual * rules.belowPercent)
      return `${formatDollars(dollarsOf(resaleCents))}, where others ask ${formatDollars(dollarsOf(usual))}.`;
  }
  return undefined;
};

const tell = async (trx: Trx, copy: { id: string; sellerId: string; title: string }, isLive: boolean): Promise<void> =>
  queueMail(trx, {
    kind: 'listing-held',
    key: `listing-held:${copy.id}:${isLive ? 'live' : 'held'}:${Date.now()}`,
    to: await findMailedUser(trx, copy.sellerId),
    data: { title: copy.title, isLive },
  });

/** Has an admin look at what the operator wants looked at before it is on the shelf, in the queue of reports. */
export const holdForLook =
  (rules: HoldingRules): HoldForLook =>
  async (trx, copy) => {
    const words = await whyHeld(trx, rules, copy);
    if (words === undefined) return false;
    const found = await findHeld(trx, copy.listingId);
    if (found === undefined) return false;
    const caseId = await openCase(trx, { kind: 'copy', ...found });
    await insertReport(trx, { caseId, reporterId: null, reason: 'held', words });
    if (copy.isOfMany !== true)
      await tell(trx, { id: copy.listingId, sellerId: copy.sellerId, title: found.title }, false);
    return true;
  };

/** The same, or nothing where the operator wants nothing looked at. */
export const holdingOf = (rules: HoldingRules): HoldForLook | undefined =>
  rules.firstListings > 0 || rules.belowPercent > 0 ? holdForLook(rules) : undefined;

/** Puts a copy on the shelf that an admin found nothing against; its seller is told, if it waited for that. */
export const releaseHeld = async (
  trx: Trx,
  { subjectId: id, userId: sellerId, title }: { subjectId: string; userId: string; title: string },
): Promise<void> => {
  if (await endLook(trx, { id, sellerId })) await tell(trx, { id, sellerId, title }, true);
};
