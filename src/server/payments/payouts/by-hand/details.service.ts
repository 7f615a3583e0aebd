import type { BankDetails } from '#contract/money/by-hand.ts';
import {
  bankDetailsProblems,
  shownAccount,
  tidyBankDetails,
  type BankDetailsDraft,
} from '#contract/money/bank-details.ts';
import { recordAudit } from '#server/audit/audit.service.ts';
import { requireProof } from '#server/identity/sessions/reauthentication.service.ts';
import { lockSeller } from '#server/ledger/ledger.service.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import { setNextLook } from '#server/payments/payouts/payout-account.queries.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import { retryOnContention } from '#server/platform/postgres/retry.ts';
import { badFields, notFound } from '#server/platform/errors.ts';
import { requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { fingerprintOf, newestKeyId, openDetails, sealDetails } from './details-cipher.ts';
import {
  findDetails,
  lockOldSealed,
  resealCopy,
  resealDetails,
  saveDetails,
  type DetailsRow,
} from './details.queries.ts';

const BATCH = 100;

const requireByHand = ({ payouts }: Pick<Config, 'payouts'>): void => {
  if (payouts.way !== 'manual') throw notFound('This shop does not pay out by hand');
};

const NOTHING: BankDetails = { details: null, pausedUntil: null, locked: null };

const shown = (keys: readonly string[], row: DetailsRow): BankDetails => ({
  details: {
    kind: row.kind,
    holder: openDetails(keys, row.sellerId, row).holder,
    country: row.country,
    accountType: row.accountType,
    shown: row.shown,
    enteredAt: row.enteredAt.toISOString(),
  },
  pausedUntil: row.isPaused ? row.pausedUntil.toISOString() : null,
  locked: row.locked,
});

/** Where the viewer has their money sent; of the account its last digits alone. */
export const readBankDetails = async (db: Db, config: Config, viewer: Viewer): Promise<BankDetails> => {
  const { userId } = requireSeller(viewer);
  requireByHand(config);
  const row = await findDetails(db, userId);
  return row === undefined ? NOTHING : shown(config.payouts.detailsKeys, row);
};

/**
 * Takes other details of the viewer, who proves who they are: they are told by mail, and payouts pause. What is in a
 * batch goes where it was to go. The same details once more change nothing, unless they had to be entered anew.
 */
export const enterBankDetails = async (
  db: Db,
  config: Config,
  viewer: Viewer,
  input: BankDetailsDraft & { password?: string | undefined; ip: string; device?: string | undefined },
): Promise<BankDetails> => {
  requireSeller(viewer);
  requireByHand(config);
  const problems = bankDetailsProblems(input);
  if (Object.keys(problems).length > 0) throw badFields(problems);
  const { userId, email, name } = await requireProof(db, config, viewer, input);
  const { detailsKeys, holdHours } = config.payouts;
  const given = tidyBankDetails(input);
  return retryOnContention(() =>
    db.transaction().execute(async (trx) => {
      await lockSeller(trx, userId);
      const before = await findDetails(trx, userId);
      const same =
        before !== undefined &&
        before.locked === null &&
        JSON.stringify(openDetails(detailsKeys, userId, before)) === JSON.stringify(given);
      if (same) return shown(detailsKeys, before);
      const sealed = sealDetails(detailsKeys, userId, given);
      const version = await saveDetails(trx, {
        sellerId: userId,
        kind: given.kind,
        country: given.country,
        accountType: given.kind === 'us' ? given.accountType : null,
        shown: shownAccount(given),
        ...sealed,
        fingerprint: fingerprintOf(detailsKeys, given),
        holdHours,
      });
      await recordAudit(trx, {
        actorId: userId,
        action: 'bank details entered',
        subject: { kind: 'user', id: userId },
        details: { kind: given.kind, shown: shownAccount(given) },
      });
      await queueMail(trx, {
        kind: 'bank-details',
        key: `bank-details:${userId}:${version}`,
        to: { email, name },
        data: { isChange: version > 1, holdHours },
      });
      // Whoever waited for them does not any more.
      await setNextLook(trx, userId, (await readShopClock(trx)).now);
      const row = await findDetails(trx, userId);
      return row === undefined ? NOTHING : shown(detailsKeys, row);
    }),
  );
};

/** Encrypts with the newest key what an older one has; once none is left, that one may go. Answers how many. */
export const renewSealed = async (db: Db, keys: readonly string[]): Promise<number> => {
  const newest = newestKeyId(keys);
  if (newest === undefined) return 0;
  let renewed = 0;
  for (const table of ['payout_details', 'hand_payouts'] as const) {
    for (let taken = BATCH; taken === BATCH;) {
      taken = await db.transaction().execute(async (trx) => {
        const rows = await lockOldSealed(trx, table, newest, BATCH);
        for (const { id, sellerId, ...old } of rows) {
          const details = openDetails(keys, sellerId, old);
          const sealed = sealDetails(keys, sellerId, details);
          if (table === 'hand_payouts') await resealCopy(trx, id, sealed);
          else await resealDetails(trx, id, { ...sealed, fingerprint: fingerprintOf(keys, details) });
        }
        return rows.length;
      });
      renewed += taken;
    }
  }
  return renewed;
};
