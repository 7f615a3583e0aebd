import { AppError } from '#server/platform/errors.ts';
import { adminRefusal, requireSignedIn, type SignedIn, type Viewer } from '#server/platform/viewer.ts';

/**
 * The viewer, if they proved who they are within the last 15 minutes: whoever finds an unlocked screen must not change
 * what guards its account. Else 401, or 403 `fresh_sign_in_needed`. An admin of a production shop shows the second
 * factor they have as well, else 403 `second_factor_needed`: with a stolen password alone nobody gives the account a
 * passkey of their own.
 */
export const requireFreshSignIn = (viewer: Viewer): SignedIn => {
  const user = requireSignedIn(viewer);
  if (!user.hasFreshSignIn) {
    throw new AppError('fresh_sign_in_needed', 'Please confirm that it is you to change what guards your account');
  }
  if (user.secondFactor === 'to be shown') throw adminRefusal(user);
  return user;
};
