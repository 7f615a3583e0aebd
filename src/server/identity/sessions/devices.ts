import type { Trx } from '#server/platform/postgres/db.ts';
import { deleteDevicesBeyond, insertDevice, touchDevice } from './devices.queries.ts';
import { hashOfToken, isToken, newToken } from '#server/identity/random-token.ts';

/** The longest that browsers keep a cookie; it begins anew with each sign-in. */
const DEVICE_COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** More browsers than anybody has; those used longest ago are forgotten. */
const MOST_DEVICES = 50;

/** What the browser's long-lived cookie shall hold from now on. */
export interface DeviceCookie {
  readonly token: string;
  readonly maxAgeSeconds: number;
}

/**
 * Notes with which browser a user signs in, by the long-lived cookie it sent. `isNews` when they never used it before
 * and used another one: the very first is no news to anybody.
 */
export const noteDevice = async (
  trx: Trx,
  userId: string,
  sent: string | undefined,
): Promise<{ cookie: DeviceCookie; isNews: boolean }> => {
  const token = isToken(sent) ? sent : newToken();
  const cookie = { token, maxAgeSeconds: DEVICE_COOKIE_SECONDS };
  const hash = hashOfToken(token);
  if (await touchDevice(trx, userId, hash)) return { cookie, isNews: false };
  const isFirst = await insertDevice(trx, userId, hash);
  await deleteDevicesBeyond(trx, userId, MOST_DEVICES);
  return { cookie, isNews: !isFirst };
};
