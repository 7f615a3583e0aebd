import { forbidden, AppError, unauthenticated } from '#server/platform/errors.ts';

/** Why someone who acts as an admin may not go on, by their own row under lock; undefined when they may. */
export const actorRefusal = (actor: { readonly isAdmin: boolean } | undefined): AppError | undefined => {
  if (actor === undefined) return unauthenticated();
  return actor.isAdmin ? undefined : forbidden('This is for admins');
};

/** In production an address that nobody proved may belong to anybody: it does not become an admin's. */
export const promotionRefusal = (
  user: { readonly emailProvenAt: Date | null },
  mode: 'demo' | 'production',
): AppError | undefined =>
  mode === 'production' && user.emailProvenAt === null
    ? forbidden('This user has not confirmed their email address yet')
    : undefined;

/**
 * Nobody takes the role from themselves; as the admin who does it stays one, whose row is locked meanwhile, the last
 * one always stays.
 */
export const demotionRefusal = (actorId: string, userId: string): AppError | undefined =>
  actorId === userId ? forbidden('You cannot remove your own admin role: another admin can') : undefined;

/** The tick says that the shop vouches for a seller: who does not sell has nothing to vouch for. */
export const verificationRefusal = (user: { readonly isSeller: boolean }): AppError | undefined =>
  user.isSeller ? undefined : new AppError('not_a_seller', 'This user does not sell: only sellers can be verified');

/**
 * Nobody deletes themselves here. As every deletion leaves the admin who did it, whose row is locked meanwhile, the
 * last admin always stays.
 */
export const deletionRefusal = (actorId: string, userId: string): AppError | undefined =>
  actorId === userId ? forbidden('You cannot delete your own account here') : undefined;
