import type { Address } from '#contract/delivery/address.ts';

const KEY = 'shippingAddress';

const FIELDS = ['name', 'line1', 'line2', 'city', 'state', 'postcode', 'country'] as const satisfies (keyof Address)[];

const addressIn = (stored: unknown, owner: string): Address | undefined => {
  if (typeof stored !== 'object' || stored === null || !('owner' in stored) || stored.owner !== owner) return undefined;
  const kept = 'address' in stored ? (stored.address as Partial<Record<string, unknown>> | null) : null;
  if (kept === null || FIELDS.some((field) => typeof kept[field] !== 'string')) return undefined;
  return kept as Address;
};

/** The address that `owner`, a user by their id, had this browser keep; nobody else ever gets it. */
export const keptAddress = (owner: string): Address | undefined => {
  try {
    return addressIn(JSON.parse(localStorage.getItem(KEY) ?? 'null'), owner);
  } catch {
    // No storage (private modes, the server), or not ours.
    return undefined;
  }
};

/** Keeps an address for the next purchase of `owner`, in this browser alone and until they sign out. */
export const keepAddress = (owner: string, address: Address): void => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ owner, address }));
  } catch {
    // Without storage it is typed again.
  }
};

export const forgetAddress = (): void => {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
};
