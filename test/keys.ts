// Keys of sellers' programs, as the page makes them.
import { makeApiKey, type Scope } from '#contract/users/api-keys.ts';
import type { TestApp } from './app.ts';
import type { TestUser } from './make.ts';

/** A new key of a seller; older ones are revoked, as there may be ten. */
export const aKey = async (t: TestApp, seller: TestUser, scopes: readonly Scope[]): Promise<string> => {
  await t.db.deleteFrom('api_keys').where('user_id', '=', seller.id).execute();
  const answer = await t.call(makeApiKey, { body: { name: 'A program', scopes: [...scopes] } }, { as: seller });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.key;
};
