import type { Generated } from 'kysely';

export interface SellerIdentitiesTable {
  user_id: string;
  /** When they had sold so much that the shop must know who they are; null where it knew before. */
  asked_at: Date | null;
  confirmed_at: Date | null;
  /** The admin; null where the payment provider did. */
  confirmed_by: string | null;
  reason: Generated<string>;
  /** From when on nothing is paid to them. */
  paused_at: Date | null;
}
