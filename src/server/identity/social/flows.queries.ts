import { sql } from 'kysely';
import type { Provider, SocialPage } from '#contract/users/social.ts';
import type { Db } from '#server/platform/postgres/db.ts';

/** A sign-in at a service that takes longer than this was left, or is being played with. */
export const FLOW_SECONDS = 600;

const isLive = sql<boolean>`created_at > now() - ${sql.lit(FLOW_SECONDS)} * interval '1 second'`;

export interface Flow {
  /** Whose account it is about; null for a sign-in, which is about nobody yet. */
  readonly userId: string | null;
  readonly purpose: 'sign-in' | 'again' | 'link';
  readonly page: SocialPage;
  readonly inPopup: boolean;
  readonly returnPath: string;
}

export const insertFlow = (
  db: Db,
  flow: Flow & { stateHash: Buffer; browserHash: Buffer; provider: Provider },
): Promise<unknown> =>
  db
    .insertInto('sign_in_flows')
    .values({
      state_hash: flow.stateHash,
      browser_hash: flow.browserHash,
      provider: flow.provider,
      purpose: flow.purpose,
      user_id: flow.userId,
      page: flow.page,
      in_popup: flow.inPopup,
      return_path: flow.returnPath,
    })
    .execute();

/** Whether the browser with this secret is on its way somewhere already. */
export const hasLiveFlow = async (db: Db, browserHash: Buffer): Promise<boolean> => {
  const found = await db
    .selectFrom('sign_in_flows')
    .select('purpose')
    .where('browser_hash', '=', browserHash)
    .where(isLive)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/**
 * Takes a flow, once: only with the state and the browser it began with, at the service it began at, while it lives.
 */
export const takeFlow = (
  db: Db,
  flow: { stateHash: Buffer; browserHash: Buffer; provider: Provider },
): Promise<Flow | undefined> =>
  db
    .deleteFrom('sign_in_flows')
    .where('state_hash', '=', flow.stateHash)
    .where('browser_hash', '=', flow.browserHash)
    .where('provider', '=', flow.provider)
    .where(isLive)
    .returning(['user_id as userId', 'purpose', 'page', 'in_popup as inPopup', 'return_path as returnPath'])
    .executeTakeFirst();

/** Drops flows that can never be finished any more. */
export const deleteOldFlows = (db: Db): Promise<unknown> =>
  db
    .deleteFrom('sign_in_flows')
    .where(sql<boolean>`NOT (${isLive})`)
    .execute();
