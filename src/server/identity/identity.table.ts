import type { Generated } from 'kysely';
import type { Scope } from '#contract/users/api-keys.ts';

export interface UsersTable {
  id: Generated<string>;
  email: string;
  name: string;
  photo_url: Generated<string>;
  password_hash: string | null;
  is_admin: Generated<boolean>;
  is_seller: Generated<boolean>;
  /** What the page of a seller is called; made by the database, null for who is none or has left. */
  seller_slug: Generated<string | null>;
  is_buyer: Generated<boolean>;
  verified: Generated<boolean>;
  email_proven_at: Date | null;
  created_at: Generated<Date>;
  deleted_at: Date | null;
  /** A name of the time zone database; empty until a browser told one. */
  time_zone: Generated<string>;
  /** Whether what they list is offered to waiting readers before it is on the shelf. */
  first_refusal: Generated<boolean>;
}

/** Keys of sellers' programs. */
export interface ApiKeysTable {
  id: Generated<string>;
  user_id: string;
  name: string;
  begins: string;
  key_hash: Buffer;
  scopes: Scope[];
  created_at: Generated<Date>;
  last_used_at: Date | null;
}

export interface SessionsTable {
  id: Generated<string>;
  token_hash: Buffer;
  user_id: string;
  user_agent: Generated<string>;
  created_at: Generated<Date>;
  used_at: Generated<Date>;
  expires_at: Date;
  /** When the user last proved who they are in this session. */
  signed_in_at: Generated<Date>;
  second_factor_at: Date | null;
  /** Where the log stood after the last change made in this session. */
  /** By which way in it began; null where a release before began it. */
  way_in: string | null;
}

export interface SigningKeysTable {
  kid: string;
  private_jwk: unknown;
  created_at: Generated<Date>;
}

export interface AttemptCountersTable {
  kind: string;
  subject: string;
  window_started_at: Generated<Date>;
  attempts: Generated<number>;
}

/** Links that were sent by mail and prove something of their holder. */
export interface AccountLinksTable {
  token_hash: Buffer;
  purpose: 'reset' | 'confirm';
  user_id: string;
  email: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}

/** Who asked for a new password and was not looked up yet. */
export interface ResetRequestsTable {
  id: Generated<string>;
  email: string;
  requested_at: Generated<Date>;
}
