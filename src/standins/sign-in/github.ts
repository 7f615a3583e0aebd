import { loginOf, numberOf, type Account } from './accounts.ts';
import type { Asking } from './asking.ts';
import { authorize, decide, type AuthorizationDeps } from './authorization.ts';
import { exchange, type ExchangeDeps } from './exchange.ts';
import { GITHUB_STANDIN } from './keys.ts';
import { json, type Reply } from './reply.ts';

const SERVICE = { name: 'Github', issuer: `${GITHUB_STANDIN}/login/oauth` } as const;

/** Github tells of a refused code with status 200. */
const REFUSALS = {
  invalid_client: { error: 'incorrect_client_credentials', error_description: 'The client is not known.' },
  invalid_grant: { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' },
} as const;

function userOf(account: Account): object {
  return {
    login: loginOf(account),
    id: numberOf(account),
    avatar_url: account.picture,
    type: 'User',
    name: account.name === '' ? null : account.name,
    // What a person shows to everybody, if anything; not what they are known by.
    email: null,
  };
}

/** One to be contacted at, and the one that Github makes up for everybody. */
function addressesOf(account: Account): object[] {
  const hidden = `${numberOf(account)}+${loginOf(account)}@users.noreply.github.standin.invalid`;
  return [
    { email: hidden, primary: false, verified: true, visibility: null },
    { email: account.email, primary: true, verified: account.verified, visibility: 'private' },
  ];
}

/** Plays Github: OAuth 2.0 in Github's shape, and the two calls of its API that say who somebody is. */
export function createGithub(deps: AuthorizationDeps & ExchangeDeps) {
  async function accessToken(asking: Asking): Promise<Reply> {
    const exchanged = await exchange(asking.form, asking.authorization, deps);
    if ('failing' in exchanged) return exchanged.failing;
    const body =
      'error' in exchanged
        ? REFUSALS[exchanged.error]
        : {
            access_token: deps.grants.issueToken(exchanged.grant.account),
            scope: 'read:user,user:email',
            token_type: 'bearer',
          };
    if (asking.accept.includes('application/json')) return json(200, body);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8', 'Cache-Control': 'no-store' };
    return { status: 200, headers, body: new URLSearchParams(Object.entries(body)).toString() };
  }

  function api(asking: Asking, answer: (account: Account) => object): Reply {
    const account = deps.grants.bearer(asking.authorization);
    return account === undefined
      ? json(401, { message: 'Bad credentials', status: '401' })
      : json(200, answer(account));
  }

  return async (asking: Asking): Promise<Reply | undefined> => {
    switch (`${asking.method} ${asking.path}`) {
      case 'GET /login/oauth/authorize':
        return authorize(SERVICE, deps, asking.query);
      case 'POST /login/oauth/decide':
        return decide(SERVICE, deps, asking.form);
      case 'POST /login/oauth/access_token':
        return accessToken(asking);
      case 'GET /api/user':
        return api(asking, userOf);
      case 'GET /api/user/emails':
        return api(asking, addressesOf);
      default:
        return undefined;
    }
  };
}
