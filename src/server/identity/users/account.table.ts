import type { Generated } from 'kysely';

export interface PasskeysTable {
  id: Generated<string>;
  user_id: string;
  /** base64url */
  credential_id: string;
  /** COSE */
  public_key: Buffer;
  /** bigint: read as text */
  counter: string;
  transports: string[];
  name: string;
  created_at: Generated<Date>;
  used_at: Date | null;
}

export interface PasskeyChallengesTable {
  challenge: string;
  purpose: 'add' | 'again' | 'sign-in';
  session_id: string | null;
  created_at: Generated<Date>;
}

export interface RecoveryCodesTable {
  code_hash: Buffer;
  user_id: string;
  created_at: Generated<Date>;
  used_at: Date | null;
}

export interface DevicesTable {
  token_hash: Buffer;
  user_id: string;
  created_at: Generated<Date>;
  used_at: Generated<Date>;
}

export interface DeparturesTable {
  user_id: string;
  left_at: Generated<Date>;
  finished_at: Date | null;
}
