import type { Generated } from 'kysely';

export interface UsersTable {
  id: Generated<string>;
  email: string;
  name: string;
  photo_url: Generated<string>;
  password_hash: string | null;
  is_admin: Generated<boolean>;
  is_seller: Generated<boolean>;
  is_buyer: Generated<boolean>;
  verified: Generated<boolean>;
  email_proven_at: Date | null;
  created_at: Generated<Date>;
  deleted_at: Date | null;
}

export interface SessionsTable {
  id: Generated<string>;
  token_hash: Buffer;
  user_id: string;
  user_agent: Generated<string>;
  created_at: Generated<Date>;
  used_at: Generated<Date>;
  expires_at: Date;
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
