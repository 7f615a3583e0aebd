import type { Generated } from 'kysely';

/** As what somebody sells; a trader's imprint is empty of private sellers. */
export interface SellerDeclarationsTable {
  user_id: string;
  kind: 'private' | 'trader';
  business: Generated<string>;
  /** Its lines. */
  address: Generated<string>;
  /** ISO 3166. */
  country: Generated<string>;
  email: Generated<string>;
  phone: Generated<string>;
  register: Generated<string>;
  tax_number: Generated<string>;
  declared_at: Generated<Date>;
}

export interface TermsVersionsTable {
  version: string;
  words: string;
  in_force_at: Generated<Date>;
}

export interface TermsAcceptancesTable {
  user_id: string;
  role: 'buyer' | 'seller';
  version: string;
  accepted_at: Generated<Date>;
}

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
