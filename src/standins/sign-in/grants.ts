import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Account } from './accounts.ts';

/** How the service behaves when the code is exchanged. */
export type Behaviour = 'well' | 'down' | 'slow';

/** What a browser asks for on behalf of a shop. */
export interface Asked {
  readonly redirectUri: string;
  readonly state: string;
  readonly codeChallenge: string;
  /** Empty where none was sent. */
  readonly nonce: string;
}

export interface Grant {
  readonly asked: Asked;
  readonly account: Account;
  readonly behaviour: Behaviour;
}

const CODE_LIFETIME_MS = 60_000;
const TOKEN_LIFETIME_MS = 600_000;

interface Timed<T> {
  readonly value: T;
  readonly until: number;
}

/** Secrets that are good for a while, each for one value. */
function createSecrets<T>(lifetimeMs: number) {
  const kept = new Map<string, Timed<T>>();
  return {
    issue(value: T): string {
      const now = Date.now();
      for (const [secret, { until }] of kept) if (until < now) kept.delete(secret);
      const secret = randomBytes(24).toString('base64url');
      kept.set(secret, { value, until: now + lifetimeMs });
      return secret;
    },
    read(secret: string): T | undefined {
      const found = kept.get(secret);
      return found !== undefined && found.until >= Date.now() ? found.value : undefined;
    },
    take(secret: string): T | undefined {
      const value = this.read(secret);
      kept.delete(secret);
      return value;
    },
  };
}

/** Codes, each good once, and access tokens. Kept in memory: a way to the service and back does not outlive it. */
export function createGrants() {
  const codes = createSecrets<Grant>(CODE_LIFETIME_MS);
  const tokens = createSecrets<Account>(TOKEN_LIFETIME_MS);
  return {
    issueCode: (grant: Grant): string => codes.issue(grant),
    takeCode: (code: string): Grant | undefined => codes.take(code),
    issueToken: (account: Account): string => tokens.issue(account),
    /** Whose access token an Authorization header holds. */
    bearer(header: string | undefined): Account | undefined {
      const token = /^(?:bearer|token) (\S+)$/i.exec(header ?? '')?.[1];
      return token === undefined ? undefined : tokens.read(token);
    },
  };
}
export type Grants = ReturnType<typeof createGrants>;

/** Whether `verifier` is the one whose S256 challenge was sent when the code was asked for (RFC 7636). */
export function provesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const made = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const sent = Buffer.from(challenge);
  return made.length === sent.length && timingSafeEqual(made, sent);
}
