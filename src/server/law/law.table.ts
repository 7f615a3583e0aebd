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
