import { sql } from 'kysely';
import type { BankAccountKind } from '#contract/money/bank-details.ts';
import type { DueByHand } from '#contract/money/by-hand.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** What a seller is due, and what stands in the way of a payout by hand. */
export interface DueRow {
  readonly sellerId: string;
  readonly name: string;
  readonly email: string;
  readonly cents: number;
  readonly state: DueByHand['state'];
  readonly kind: BankAccountKind | null;
  readonly country: string | null;
  readonly shown: string | null;
  readonly pausedUntil: Date | null;
  readonly version: number | null;
  readonly keyId: string | null;
  readonly sealed: Buffer | null;
  /** Other details were entered before, and nothing was ever paid to these. */
  readonly isChanged: boolean;
  /** Names of other sellers with the same account. */
  readonly sameAccountAs: readonly string[];
}

const SAME_SHOWN = 5;

/** Every seller who is due something, but for those of whom a payout by hand is under way. */
const due = (minCents: number, sellerIds: readonly string[] | undefined) => sql`
  SELECT d.seller_id AS "sellerId", u.name, u.email, d.cents, p.kind, p.country, p.shown, p.version, p.fingerprint,
    p.key_id AS "keyId", p.sealed, CASE WHEN p.paused_until > shop_now() THEN p.paused_until END AS "pausedUntil",
    CASE WHEN u.deleted_at IS NOT NULL OR is_suspended(u.id) THEN 'suspended'
      WHEN is_unidentified(u.id) THEN 'unidentified' WHEN p.seller_id IS NULL THEN 'no-details'
      WHEN p.locked IS NOT NULL THEN 'locked' WHEN p.paused_until > shop_now() THEN 'paused'
      WHEN d.cents < ${minCents} THEN 'below-minimum' ELSE 'ready' END AS state
  FROM (SELECT seller_id, -sum(amount_cents)::float8 AS cents FROM ledger_entries
      WHERE account = 'seller' ${sellerIds === undefined ? sql`` : sql`AND seller_id = ANY(${sellerIds}::uuid[])`}
      GROUP BY seller_id HAVING sum(amount_cents) < 0) AS d
    JOIN users u ON u.id = d.seller_id LEFT JOIN payout_details p ON p.seller_id = d.seller_id
  WHERE NOT EXISTS (SELECT FROM payouts a WHERE a.seller_id = d.seller_id AND a.state = 'asked' AND a.way = 'manual')`;

/** What sellers are due, those who can be paid first and then by amount; of all sellers or of some. */
export const listDue = async (
  db: Db,
  { minCents, sellerIds, limit }: { minCents: number; sellerIds?: readonly string[]; limit: number },
): Promise<DueRow[]> => {
  const { rows } = await sql<DueRow>`
    SELECT d.*,
      coalesce(d.version > 1 AND NOT EXISTS (SELECT FROM hand_payouts h JOIN payouts o ON o.id = h.payout_id
        WHERE o.seller_id = d."sellerId" AND h.details_version = d.version AND o.state = 'sent'), false) AS "isChanged",
      ARRAY(SELECT w.name FROM payout_details s JOIN users w ON w.id = s.seller_id
        WHERE s.fingerprint = d.fingerprint AND s.seller_id <> d."sellerId" ORDER BY w.name LIMIT ${SAME_SHOWN})
        AS "sameAccountAs"
    FROM (${due(minCents, sellerIds)}) AS d
    ORDER BY d.state <> 'ready', d.cents DESC, d."sellerId" LIMIT ${limit}`.execute(db);
  return rows;
};

/** What all sellers are due that can be paid, that waits, and what is under way by hand, in cents. */
export const readSums = async (
  db: Db,
  minCents: number,
): Promise<{ readyCents: number; waitingCents: number; onItsWayCents: number }> => {
  const { rows } = await sql<{ readyCents: number; waitingCents: number; onItsWayCents: number }>`
    SELECT coalesce(sum(cents) FILTER (WHERE state = 'ready'), 0)::float8 AS "readyCents",
      coalesce(sum(cents) FILTER (WHERE state <> 'ready'), 0)::float8 AS "waitingCents",
      (SELECT coalesce(sum(amount_cents), 0)::float8 FROM payouts WHERE state = 'asked' AND way = 'manual')
        AS "onItsWayCents"
    FROM (${due(minCents, undefined)}) AS d`.execute(db);
  return rows[0] ?? { readyCents: 0, waitingCents: 0, onItsWayCents: 0 };
};
