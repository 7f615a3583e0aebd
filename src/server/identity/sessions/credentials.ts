import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import type { Credentials } from '#server/http/auth.ts';
import { viewerOfAccessToken } from './access-token.ts';
import { viewerOfSessionToken } from './sessions.service.ts';

/** How http learns who a credential belongs to. A bad credential is anonymous; only a failing database throws. */
export const createCredentials = ({ db, config }: { db: Db; config: Config }): Credentials => ({
  viewerOfAccessToken: (token) => viewerOfAccessToken(db, config, token),
  viewerOfSessionToken: (token) => viewerOfSessionToken(db, config, token),
});
