import type { Generated } from 'kysely';
import type { Provider, SocialPage } from '#contract/users/social.ts';

export interface SignInIdentitiesTable {
  issuer: string;
  subject: string;
  provider: Provider;
  user_id: string;
  email: string;
  linked_at: Generated<Date>;
}

export interface SignInFlowsTable {
  state_hash: Buffer;
  browser_hash: Buffer;
  provider: Provider;
  purpose: 'sign-in' | 'again' | 'link';
  user_id: string | null;
  page: SocialPage;
  in_popup: boolean;
  return_path: string;
  created_at: Generated<Date>;
}
