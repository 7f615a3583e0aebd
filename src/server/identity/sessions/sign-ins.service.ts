import type { Db } from '#server/platform/postgres/db.ts';
import { deviceWords } from './device-words.ts';
import { listSessionsInUse } from './sessions.queries.ts';

export interface SignIn {
  /** `Firefox on Linux`. */
  readonly device: string;
  readonly since: Date;
  readonly usedAt: Date;
}

/** Where somebody is signed in, the last used first; the caller says who may read it. */
export const listSignIns = async (db: Db, userId: string, limit: number): Promise<SignIn[]> =>
  (await listSessionsInUse(db, userId, limit)).map(({ userAgent, ...times }) => ({
    device: deviceWords(userAgent),
    ...times,
  }));
