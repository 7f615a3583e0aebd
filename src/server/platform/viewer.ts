import type { EndpointSpec } from '#contract/endpoint.ts';
import { forbidden, AppError, unauthenticated } from './errors.ts';

/**
 * What a session says of the second factor that production asks of admins before they act: a passkey, or a recovery
 * code once. `to be made` has no passkey yet.
 */
export type SecondFactor = 'not needed' | 'to be made' | 'to be shown' | 'shown';

/** Whoever is asking, as the database knows them at this moment. */
export interface SignedIn {
  readonly kind: 'signed-in';
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Whether they may act as an admin now: in production a session has to show its second factor first. */
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly isBuyer: boolean;
  /** When the address was proven by its mail or a provider; null until then. */
  readonly emailProvenAt: Date | null;
  /** Whether the shop has suspended them: they finish what is under way, and begin nothing. */
  readonly isSuspended: boolean;
  readonly sessionId: string;
  /** Whether they proved who they are in this session within the last 15 minutes, by the database's clock. */
  readonly hasFreshSignIn: boolean;
  readonly secondFactor: SecondFactor;
  /** What the key of a program is good for; absent where a person asks. */
  readonly scopes?: readonly NonNullable<EndpointSpec['scope']>[];
}

export type Viewer = SignedIn | { readonly kind: 'anonymous' };

export const ANONYMOUS: Viewer = { kind: 'anonymous' };

/** The viewer, or 401. */
export const requireSignedIn = (viewer: Viewer): SignedIn => {
  if (viewer.kind === 'anonymous') throw unauthenticated();
  return viewer;
};

/** 403 `suspended` for whoever may begin nothing new. */
export const requireGoodStanding = ({ isSuspended }: Pick<SignedIn, 'isSuspended'>): void => {
  if (isSuspended)
    throw new AppError('suspended', 'Your account is suspended. Your dashboard says why, and until when');
};

/** The viewer if they are a buyer, else 401 or 403. */
export const requireBuyer = (viewer: Viewer): SignedIn => {
  const user = requireSignedIn(viewer);
  if (!user.isBuyer) throw forbidden('This is for buyers');
  return user;
};

/** The viewer if they are a seller, else 401 or 403. */
export const requireSeller = (viewer: Viewer): SignedIn => {
  const user = requireSignedIn(viewer);
  if (!user.isSeller) throw forbidden('This is for sellers');
  return user;
};

/** Whether this is an admin whose session has yet to show the second factor. */
export const awaitsSecondFactor = ({ secondFactor }: Pick<SignedIn, 'secondFactor'>): boolean =>
  secondFactor === 'to be made' || secondFactor === 'to be shown';

/** Why someone may not act as an admin now: 403 `second_factor_needed` where nothing else is missing. */
export const adminRefusal = (user: SignedIn, message = 'This is for admins'): AppError =>
  awaitsSecondFactor(user)
    ? new AppError('second_factor_needed', 'Admins confirm with their passkey before they act')
    : forbidden(message);

/** The viewer if they may act as an admin now, else 401 or 403. */
export const requireAdmin = (viewer: Viewer): SignedIn => {
  const user = requireSignedIn(viewer);
  if (!user.isAdmin) throw adminRefusal(user);
  return user;
};

/** The viewer if they are a seller or may act as an admin now, else 401 or 403. */
export const requireSellerOrAdmin = (viewer: Viewer): SignedIn => {
  const user = requireSignedIn(viewer);
  if (!user.isSeller && !user.isAdmin) throw adminRefusal(user, 'This is for sellers');
  return user;
};

/**
 * Whether `email`, a claim from a path, query or body, names this user. Addresses are one account whatever their case.
 */
export const isAddressOf = (email: string, user: SignedIn): boolean => email.toLowerCase() === user.email.toLowerCase();

/** Refuses a claimed address that is not the viewer's. */
export const requireOwnAddress = (email: string, user: SignedIn): void => {
  if (!isAddressOf(email, user)) throw forbidden('This address is not yours');
};
