import { MAX_API_KEYS, type ApiKey, type Scope } from '#contract/users/api-keys.ts';
import { isVisible, oneLine } from '#contract/text.ts';
import { queueMail } from '#server/mail/outbox.service.ts';
import type { Db, Trx } from '#server/platform/postgres/db.ts';
import { AppError, badFields } from '#server/platform/errors.ts';
import { ANONYMOUS, requireGoodStanding, requireSeller, type Viewer } from '#server/platform/viewer.ts';
import { isToken, newToken } from '#server/identity/random-token.ts';
import { requireFreshSignIn } from '#server/identity/sessions/fresh-sign-in.policy.ts';
import {
  deleteApiKey,
  deleteApiKeysOf,
  findKeyOwner,
  insertApiKey,
  listApiKeyRows,
  lockUser,
  touchApiKey,
  type ApiKeyRow,
} from './api-keys.queries.ts';

const PREFIX = 'dg_';
/** So many letters of a key are shown again. */
const SHOWN_LETTERS = 8;

const shown = ({ id, name, begins, scopes, createdAt, lastUsedAt }: ApiKeyRow): ApiKey => ({
  _id: id,
  name,
  begins,
  scopes,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** The viewer's keys, the newest first, without what opens anything. */
export const listApiKeys = async (db: Db, viewer: Viewer): Promise<{ keys: ApiKey[] }> => ({
  keys: (await listApiKeyRows(db, requireSeller(viewer).userId)).map(shown),
});

/** Makes a key for a program of the viewer's; the key itself is answered this once, and its owner is told by mail. */
export const makeApiKey = async (
  db: Db,
  viewer: Viewer,
  input: { name: string; scopes: readonly Scope[] },
): Promise<{ key: string; made: ApiKey }> => {
  const seller = requireFreshSignIn(viewer);
  requireSeller(seller);
  requireGoodStanding(seller);
  if (!isVisible(input.name)) throw badFields({ name: 'Say which program it is for' });
  const name = oneLine(input.name);
  const key = PREFIX + newToken();
  return db.transaction().execute(async (trx) => {
    await lockUser(trx, seller.userId);
    if ((await listApiKeyRows(trx, seller.userId)).length >= MAX_API_KEYS)
      throw new AppError('too_many', `You have ${MAX_API_KEYS} keys already: revoke one first`);
    const row = await insertApiKey(trx, {
      userId: seller.userId,
      name,
      begins: key.slice(0, SHOWN_LETTERS),
      secret: key,
      scopes: [...new Set(input.scopes)],
    });
    await queueMail(trx, { kind: 'api-key-made', key: `api-key-made:${row.id}`, to: seller, data: { name } });
    return { key, made: shown(row) };
  });
};

/** Revokes a key of the viewer's at once. */
export const revokeApiKey = async (db: Db, viewer: Viewer, id: string): Promise<{ deletedCount: number }> => ({
  deletedCount: await deleteApiKey(db, requireSeller(viewer).userId, id),
});

/** The keys of somebody who leaves. */
export const forgetApiKeys = (trx: Trx, userId: string): Promise<void> => deleteApiKeysOf(trx, userId);

/** Who sent a key: a seller with what it may do and nothing else; anonymous unless it is ours and they may act. */
export const viewerOfKey = async (db: Db, key: string): Promise<Viewer> => {
  if (!isToken(key.slice(PREFIX.length))) return ANONYMOUS;
  const owner = await findKeyOwner(db, key);
  if (owner === undefined) return ANONYMOUS;
  const { keyId, scopes, isStale, ...user } = owner;
  if (isStale) await touchApiKey(db, keyId);
  return {
    kind: 'signed-in',
    ...user,
    isAdmin: false,
    isSeller: true,
    isBuyer: false,
    isSuspended: false,
    sessionId: keyId,
    hasFreshSignIn: false,
    secondFactor: 'not needed',
    scopes,
  };
};
