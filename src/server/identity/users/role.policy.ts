import type { Role } from '#contract/users/identity.ts';
import type { Config } from '#server/platform/config.ts';
import { forbidden, AppError } from '#server/platform/errors.ts';

interface Roles {
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly isBuyer: boolean;
}

const FLAG = { admin: 'isAdmin', seller: 'isSeller', buyer: 'isBuyer' } as const satisfies Record<Role, keyof Roles>;
const HIGHEST_FIRST: readonly Role[] = ['admin', 'seller', 'buyer'];

export const carries = (user: Roles, role: Role): boolean => user[FLAG[role]];

/** The user's roles, the highest first. */
export const rolesOf = (user: Roles): Role[] => HIGHEST_FIRST.filter((role) => carries(user, role));

/** Why someone who is not yet a `role` may not become one now; undefined when they may. */
export const roleRefusal = (
  role: 'buyer' | 'seller',
  user: Roles & { readonly isFresh: boolean; readonly emailProvenAt: Date | null },
  mode: Config['mode'],
): AppError | undefined => {
  if (role === 'seller' && mode === 'production' && user.emailProvenAt === null) {
    return forbidden('Please confirm your email address first: selling needs an address that is yours');
  }
  // Whoever finds an unlocked screen must not begin to sell in its owner's name. Buying binds nobody who does not pay.
  if (role === 'seller' && rolesOf(user).length > 0 && !user.isFresh) {
    return new AppError('fresh_sign_in_needed', 'Please sign in again to become a seller');
  }
  return undefined;
};
