import type { Generated } from 'kysely';

/** What a seller says of themselves; no row where they said nothing. */
export interface SellerPagesTable {
  user_id: string;
  about: Generated<string>;
  place: Generated<string>;
}

export interface SellerFollowsTable {
  user_id: string;
  seller_id: string;
  since: Generated<Date>;
  /** What was listed until then is not news any more. */
  told_at: Generated<Date>;
}
