import { TEST_ACCOUNTS, typedAccount, type Account } from './accounts.ts';
import type { Asked, Behaviour, Grants } from './grants.ts';
import { STANDIN_CLIENT_ID } from './keys.ts';
import { choosingPage, pagePolicy, refusalPage } from './page.ts';
import { back, type Reply } from './reply.ts';

/** What the two services differ in when somebody is asked. */
export interface Service {
  readonly name: 'Google' | 'Github';
  /** Sent along as `iss` (RFC 9207). */
  readonly issuer: string;
}

export interface AuthorizationDeps {
  readonly grants: Grants;
  /** Origins of shops that are sent back to, beside this machine's. */
  readonly origins: readonly string[];
}

function html(status: number, body: string, formTarget?: string): Reply {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy(formTarget),
      'Cache-Control': 'no-store',
    },
    body,
  };
}

/**
 * As services do: only addresses that a shop is registered with are sent back to, else anybody could use us to send
 * people on.
 */
function isRegistered(redirectUri: string, origins: readonly string[]): boolean {
  const url = URL.parse(redirectUri);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '') return false;
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  return (isHere || origins.includes(url.origin)) && url.pathname.endsWith('/callback');
}

function askedIn(form: URLSearchParams, origins: readonly string[]): Asked | string {
  const [redirectUri, codeChallenge] = [form.get('redirect_uri') ?? '', form.get('code_challenge') ?? ''];
  if (!isRegistered(redirectUri, origins)) return 'The shop that sent you is not known here.';
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) return 'The shop did not send a code challenge (PKCE, S256).';
  return { redirectUri, codeChallenge, state: form.get('state') ?? '', nonce: form.get('nonce') ?? '' };
}

/** The page on which a person chooses who they are. */
export function authorize(service: Service, deps: AuthorizationDeps, query: URLSearchParams): Reply {
  if (query.get('client_id') !== STANDIN_CLIENT_ID)
    return html(400, refusalPage('The shop that sent you is not known here.'));
  const asked = askedIn(query, deps.origins);
  if (typeof asked === 'string') return html(400, refusalPage(asked));
  // Github knows no other type and does not ask for it.
  if ((query.get('response_type') ?? 'code') !== 'code') {
    return back(asked.redirectUri, { error: 'unsupported_response_type', state: asked.state, iss: service.issuer });
  }
  if (query.get('code_challenge_method') !== 'S256') {
    return back(asked.redirectUri, { error: 'invalid_request', state: asked.state, iss: service.issuer });
  }
  return html(200, choosingPage(service.name, asked), new URL(asked.redirectUri).origin);
}

const FIRST = TEST_ACCOUNTS[0] as Account;

function decisionIn(form: URLSearchParams): { account: Account; behaviour: Behaviour } | undefined {
  const what = form.get('do') ?? '';
  if (what === 'down' || what === 'slow') return { account: FIRST, behaviour: what };
  const picked = what === 'typed' ? typedAccount(form) : TEST_ACCOUNTS.find(({ email }) => what === `pick ${email}`);
  return picked === undefined ? undefined : { account: picked, behaviour: 'well' };
}

/** What the person chose, taken back to the shop. */
export function decide(service: Service, deps: AuthorizationDeps, form: URLSearchParams): Reply {
  const asked = askedIn(form, deps.origins);
  if (typeof asked === 'string') return html(400, refusalPage(asked));
  const { redirectUri, state } = asked;
  const decision = decisionIn(form);
  if (decision !== undefined) {
    return back(redirectUri, { code: deps.grants.issueCode({ asked, ...decision }), state, iss: service.issuer });
  }
  const description =
    form.get('do') === 'refuse' ? 'The organisation does not allow this application' : 'The person did not agree';
  return back(redirectUri, { error: 'access_denied', error_description: description, state, iss: service.issuer });
}
