import { forbidden, unauthenticated } from './errors.ts';

/** Whoever is asking, as the database knows them at this moment. */
export interface SignedIn {
  readonly kind: 'signed-in';
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isSeller: boolean;
  readonly isBuyer: boolean;
  /** When the address was proven by its mail or a provider; null until then. */
  readonly emailProvenAt: Date | null;
  readonly sessionId: string;
  readonly signedInAt: Date;
}

export type Viewer = SignedIn | { readonly kind: 'anonymous' };

export const ANONYMOUS: Viewer = { kind: 'anonymous' };

/** The viewer, or 401. */
export const requireSignedIn = (viewer: Viewer): SignedIn => {
  if (viewer.kind === 'anonymous') throw unauthenticated();
  return viewer;
};

/** The viewer if they are a buyer, else 401 or 403. */
export const requireBuyer = (viewer: Viewer): SignedIn => {
  const person = requireSignedIn(viewer);
  if (!person.isBuyer) throw forbidden('This is for buyers');
  return person;
};

/** The viewer if they are a seller, else 401 or 403. */
export const requireSeller = (viewer: Viewer): SignedIn => {
  const person = requireSignedIn(viewer);
  if (!person.isSeller) throw forbidden('This is for sellers');
  return person;
};

/** Whether `email`, a claim from a path, query or body, names this person. Addresses are one account whatever their case. */
export const isAddressOf = (email: string, person: SignedIn): boolean =>
  email.toLowerCase() === person.email.toLowerCase();

/** Refuses a claimed address that is not the viewer's. */
export const requireOwnAddress = (email: string, person: SignedIn): void => {
  if (!isAddressOf(email, person)) throw forbidden('This address is not yours');
};
