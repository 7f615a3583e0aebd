import { setTimeout as wait } from 'node:timers/promises';
import { type Grant, type Grants, provesChallenge } from './grants.ts';
import { STANDIN_CLIENT_ID, STANDIN_CLIENT_SECRET } from './keys.ts';
import { plain, type Reply } from './reply.ts';

/** Longer than a shop should wait. */
export const SLOW_MS = 8_000;

export interface ExchangeDeps {
  readonly grants: Grants;
  readonly slowMs: number;
  /** Ends the waiting when the stand-in closes. */
  readonly closing: AbortSignal;
}

function isRegistered(form: URLSearchParams, authorization: string | undefined): boolean {
  const basic = /^basic (\S+)$/i.exec(authorization ?? '')?.[1];
  const [id, secret] =
    basic === undefined
      ? [form.get('client_id'), form.get('client_secret')]
      : Buffer.from(basic, 'base64').toString('utf8').split(':').map(decodeURIComponent);
  return id === STANDIN_CLIENT_ID && secret === STANDIN_CLIENT_SECRET;
}

/**
 * Exchanges a code for what was granted, with everything a service checks: the shop's secret, the code once, the
 * address it was sent to, and who asked for it (PKCE). A name of RFC 6749 where it is refused; an answer where the
 * service plays a failing one.
 */
export async function exchange(
  form: URLSearchParams,
  authorization: string | undefined,
  deps: ExchangeDeps,
): Promise<{ grant: Grant } | { error: 'invalid_client' | 'invalid_grant' } | { failing: Reply }> {
  if (!isRegistered(form, authorization)) return { error: 'invalid_client' };
  const grant = deps.grants.takeCode(form.get('code') ?? '');
  if (grant === undefined || grant.asked.redirectUri !== form.get('redirect_uri')) return { error: 'invalid_grant' };
  if (!provesChallenge(form.get('code_verifier') ?? '', grant.asked.codeChallenge)) return { error: 'invalid_grant' };
  if (grant.behaviour === 'down') return { failing: plain(503, 'The service is down.') };
  if (grant.behaviour === 'slow') await wait(deps.slowMs, undefined, { signal: deps.closing }).catch(() => {});
  return { grant };
}
