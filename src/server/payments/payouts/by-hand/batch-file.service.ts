import type { BatchFormat } from '#contract/money/by-hand.ts';
import type { TidyBankDetails } from '#contract/money/bank-details.ts';
import { workingDaysAfter } from '#contract/orders/deadlines.ts';
import { clockIn, dayIn } from '#contract/time.ts';
import { recordAudit } from '#server/audit/audit.service.ts';
import { amountCell, csvFile, textCell } from '#server/platform/files/csv.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { NamedFile } from '#server/platform/files/named-file.ts';
import type { Trx } from '#server/platform/postgres/db.ts';
import { readShopClock } from '#server/platform/postgres/clock.ts';
import { requireAdmin, type Viewer } from '#server/platform/viewer.ts';
import type { Filed } from './by-hand.table.ts';
import { fileBatch, findBatch, listFiled, lockBatch, type BatchRow, type HandPayoutRow } from './batch.queries.ts';
import type { ByHandDeps } from './by-hand.deps.ts';
import { openDetails } from './details-cipher.ts';
import { nachaFile } from './nacha.policy.ts';

const HEADERS = [
  'Payout',
  'Seller',
  'Name',
  'Country',
  'Way',
  'IBAN',
  'Routing',
  'Account',
  'Type',
  'Amount',
  'Currency',
  'Reference',
  'Text',
];
const REFERENCE_LENGTH = 15;
const PURPOSE = 'Book sales';

/** `261123` of `2026-11-23`. */
const shortDay = (day: string): string => day.slice(2).replaceAll('-', '');

/** By what a bank names a payout back: as much of its id as fits in every file. */
const referenceOf = ({ id }: HandPayoutRow): string => id.replaceAll('-', '').slice(0, REFERENCE_LENGTH).toUpperCase();

interface Line {
  readonly payout: HandPayoutRow;
  readonly details: TidyBankDetails;
}

const cellsOf = ({ payout, details }: Line): string[] => {
  const isUs = details.kind === 'us';
  return [
    textCell(payout.id),
    textCell(payout.sellerId),
    textCell(details.holder),
    textCell(details.country),
    textCell(isUs ? 'ACH' : 'wire'),
    textCell(isUs ? '' : details.iban),
    textCell(isUs ? details.routing : ''),
    textCell(isUs ? details.account : ''),
    textCell(isUs ? details.accountType : ''),
    amountCell(payout.cents),
    textCell('USD'),
    textCell(referenceOf(payout)),
    textCell(PURPOSE),
  ];
};

const filedNow = async (trx: Trx, { payouts, calendar }: ByHandDeps): Promise<Filed> => {
  const { now } = await readShopClock(trx);
  const { timeZone } = calendar;
  return {
    day: shortDay(dayIn(now, timeZone)),
    time: clockIn(now, timeZone).replace(':', ''),
    effective: shortDay(dayIn(workingDaysAfter(now, 1, calendar), timeZone)),
    originator: payouts.nacha ?? null,
  };
};

const NOTHING_TO_PAY = 'Nothing of this batch is to be paid any more: there is no file of it';

const lineOf = ({ payouts }: ByHandDeps, payout: HandPayoutRow): Line => {
  const { sellerId, keyId, sealed } = payout;
  if (sealed === null)
    throw new AppError('payout_moved', 'Bank details of this batch were forgotten with somebody who left');
  return { payout, details: openDetails(payouts.detailsKeys, sellerId, { keyId, sealed }) };
};

const nachaOf = ({ n }: BatchRow, filed: Filed, lines: readonly Line[]): string => {
  const credits = lines.flatMap(({ payout, details }) =>
    details.kind === 'us' ? [{ ...details, cents: payout.cents, reference: referenceOf(payout) }] : [],
  );
  if (filed.originator === null || credits.length === 0)
    throw new AppError('payout_moved', 'There is no NACHA file of this batch: take the CSV file');
  return nachaFile(n, filed, filed.originator, credits);
};

/** A batch that is locked, its file made for good when it is asked for first. */
const filedBatch = async (trx: Trx, deps: ByHandDeps, id: string, adminId: string): Promise<[BatchRow, Filed]> => {
  const batch = await findBatch(trx, id, adminId);
  if (batch === undefined) throw notFound();
  if (batch.secondReason !== null && batch.approvedById === null)
    throw new AppError('second_admin_needed', `A second admin has to approve this batch: ${batch.secondReason}`);
  if (batch.filed !== null) return [batch, batch.filed];
  if (batch.inFile === 0) throw new AppError('payout_moved', NOTHING_TO_PAY);
  const filed = await filedNow(trx, deps);
  await fileBatch(trx, id, filed);
  return [batch, filed];
};

/** The file of a batch for the bank, the same bytes each time; each time is written down. */
export const downloadBatch = (
  deps: ByHandDeps,
  viewer: Viewer,
  { id, format }: { id: string; format: BatchFormat },
): Promise<NamedFile> => {
  const { userId } = requireAdmin(viewer);
  return deps.db.transaction().execute(async (trx) => {
    if (!(await lockBatch(trx, id))) throw notFound();
    const [batch, filed] = await filedBatch(trx, deps, id, userId);
    const lines = (await listFiled(trx, id)).map((row) => lineOf(deps, row));
    const name = `dogear-batch-${batch.n}`;
    const file =
      format === 'csv'
        ? new NamedFile(`${name}.csv`, 'text/csv; charset=utf-8', csvFile(HEADERS, lines.map(cellsOf)))
        : new NamedFile(`${name}.ach`, 'text/plain; charset=us-ascii', nachaOf(batch, filed, lines));
    await recordAudit(trx, {
      actorId: userId,
      action: 'payout file downloaded',
      subject: { kind: 'payout batch', id },
      details: { name: `batch ${batch.n}`, format, count: lines.length },
    });
    return file;
  });
};
