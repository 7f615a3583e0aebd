import type { SignedIn } from '#server/platform/viewer.ts';

/** Sellers and admins add categories, for everybody. */
export const mayAddCategory = (viewer: SignedIn): boolean => viewer.isSeller || viewer.isAdmin;

/** Admins add as many categories as they need; sellers are held to a number a day. */
export const isLimited = (viewer: SignedIn): boolean => !viewer.isAdmin;

/** Categories are everybody's: admins alone rename, merge and delete them. */
export const mayManageCategories = (viewer: SignedIn): boolean => viewer.isAdmin;
