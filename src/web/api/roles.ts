import { isAdmin, isBuyer, isSeller, type Role, type SessionUser } from '#contract/users/identity.ts';
import { call } from './call.ts';
import { answersFor } from './known-roles.ts';
import { renewToken } from './session.ts';

const ASK: Record<Role, (email: string) => Promise<boolean>> = {
  admin: async (email) => (await call(isAdmin, { params: { email } })).isAdmin,
  seller: async (email) => (await call(isSeller, { params: { email } })).isSeller,
  buyer: async (email) => (await call(isBuyer, { params: { email } })).isBuyer,
};

const ROLES = ['admin', 'seller', 'buyer'] as const satisfies readonly Role[];

const ask = async ({ email, roles }: SessionUser, role: Role): Promise<boolean> => {
  if (await ASK[role](email)) return true;
  if (!roles.includes(role)) return false;
  // The session says otherwise: the call may have gone with a token that was worth nothing, and counts then as
  // nobody's.
  await renewToken();
  return ASK[role](email);
};

/**
 * Whether the shop says that `user` has the role. A yes is remembered until `forgetRoles`, so that going from page to
 * page asks nothing; a no is asked for again, as the role may have been given a moment ago. Throws when the shop cannot
 * be asked.
 */
export const hasRole = (user: SessionUser, role: Role): Promise<boolean> => {
  const answers = answersFor(user);
  const before = answers.get(role);
  if (before !== undefined) return before;
  const answer = ask(user, role);
  answers.set(role, answer);
  const forget = (): unknown => answers.get(role) === answer && answers.delete(role);
  answer.then((has) => has || forget(), forget);
  return answer;
};

/** All roles the shop says `user` has, the highest first; asked for side by side. */
export const rolesOf = async (user: SessionUser): Promise<readonly Role[]> => {
  const has = await Promise.all(ROLES.map((role) => hasRole(user, role)));
  return ROLES.filter((_, place) => has[place]);
};
