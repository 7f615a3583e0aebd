/** What each kind of mail says about its event. Times are ISO 8601; tokens go into the link of the mail and nowhere else. */
export interface MailData {
  /** Somebody made an account; `confirmToken` is null where the address is proven already. */
  readonly welcome: { readonly confirmToken: string | null };
  readonly 'confirm-again': { readonly confirmToken: string };
  readonly reset: { readonly resetToken: string };
  readonly 'password-changed': { readonly at: string };
  /** `device` in words: `Firefox on Linux`. */
  readonly 'new-sign-in': { readonly at: string; readonly device: string };
  readonly 'booking-made': CopyFacts & { readonly bookingId: string; readonly heldUntil: string };
  readonly 'paid-receipt': CopyFacts & {
    readonly bookingId: string;
    readonly transactionId: string;
    readonly paidAt: string;
  };
  /** To the seller. */
  readonly sold: CopyFacts & { readonly buyerName: string };
  readonly 'seller-verified': Readonly<Record<string, never>>;
  /** To the first in the line behind a copy, who got the hold. */
  readonly 'line-turn': CopyFacts & { readonly bookingId: string; readonly heldUntil: string };
  readonly 'hold-lapsed': CopyFacts & { readonly bookingId: string };
  /** `priceCents` is what was given back. */
  readonly refunded: CopyFacts & { readonly bookingId: string };
  /** The copy was lost while the payment was on its way: all of it goes back by itself. */
  readonly 'money-returned': CopyFacts & { readonly bookingId: string };
  /** To everybody in the line behind a copy that is sold or was taken out of the shop. */
  readonly 'line-over': { readonly title: string };
  /** To admins. `reason` is the provider's word for it; `priceCents` is what is disputed. */
  readonly dispute: CopyFacts & {
    readonly bookingId: string;
    readonly reason: string;
    readonly state: 'open' | 'won' | 'lost';
  };
}

interface CopyFacts {
  readonly title: string;
  readonly priceCents: number;
}

export type MailKind = keyof MailData;

/** A mail about an event to one person. */
export type Mail = {
  [K in MailKind]: {
    readonly kind: K;
    readonly data: MailData[K];
    /** Unique for the event and its recipient: `paid-receipt:{bookingId}`. A second mail of the same key is none. */
    readonly key: string;
    readonly to: Recipient;
  };
}[MailKind];

export interface Recipient {
  readonly email: string;
  readonly name: string;
}
