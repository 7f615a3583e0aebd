import type { Db } from '#server/platform/postgres/db.ts';
import { takeAttempts, type Attempt, type AttemptLimit } from './attempts.queries.ts';
import { networkOf, siteOf } from '#server/identity/sessions/client-network.ts';

/** A provider hands out /48s: one may hold as many users as a few networks do, not 65,536 times as many. */
const NETWORKS_OF_A_SITE = 5;

/** Takes an attempt of the sender's network; of an IPv6 one also of the /48 around it, which has more. */
export const takeByNetwork = (db: Db, limit: AttemptLimit, ip: string): Promise<Attempt> => {
  const own = { limit, subject: networkOf(ip) };
  const site = siteOf(ip);
  if (site === undefined) return takeAttempts(db, [own]);
  const wider = { ...limit, kind: `${limit.kind}, by /48`, attempts: limit.attempts * NETWORKS_OF_A_SITE };
  return takeAttempts(db, [own, { limit: wider, subject: site }]);
};
