import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/postgres/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SignedIn } from '#server/platform/viewer.ts';
import { listDevicesToExport, listLinksToExport, selectProfileToExport } from './account-export.queries.ts';
import { listOwnSessions } from './account.service.ts';
import { takeAttempt, type AttemptLimit } from '#server/identity/passwords/attempts.queries.ts';
import { listPasskeyRows } from '#server/identity/passkeys/passkeys.queries.ts';
import { countRecoveryCodes } from '#server/identity/passkeys/recovery-codes.queries.ts';

/** An export reads everything somebody ever did here; nobody needs it more often. */
const EXPORTS: AttemptLimit = { kind: 'export', attempts: 10, windowSeconds: 60 * 60, windowFrom: 'first' };

/** Takes one of the user's exports of this hour; 429 when there is none left. */
export const takeExport = async (db: Db, user: SignedIn): Promise<void> => {
  const attempt = await takeAttempt(db, EXPORTS, user.userId);
  if (!attempt.allowed) throw new AppError('too_many', 'You exported your data often enough for now', attempt);
};

/** What is kept of a user and of how they sign in: never a password's hash, a token, a code or a key. */
export const accountToExport = async (
  db: Db,
  config: Config,
  user: SignedIn,
): Promise<{ profile: unknown; sessions: unknown[]; passkeys: unknown[]; links: unknown[]; devices: unknown[] }> => {
  const { userId } = user;
  const profile = await selectProfileToExport(db, userId);
  return {
    profile: { ...profile, recovery_codes_left: await countRecoveryCodes(db, userId) },
    sessions: await listOwnSessions(db, config, user),
    passkeys: await listPasskeyRows(db, userId),
    links: await listLinksToExport(db, userId),
    devices: await listDevicesToExport(db, userId),
  };
};
