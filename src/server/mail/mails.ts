import type { Statement } from '#contract/orders/states.ts';

/**
 * What each kind of mail says about its event. Times are ISO 8601; tokens go into the link of the mail and nowhere
 * else.
 */
export interface MailData {
  /** Somebody made an account; `confirmToken` is null where the address is proven already. */
  readonly welcome: { readonly confirmToken: string | null };
  readonly 'confirm-again': { readonly confirmToken: string };
  readonly reset: { readonly resetToken: string };
  readonly 'password-changed': { readonly at: string };
  /** `device` in words: `Firefox on Linux`. */
  readonly 'new-sign-in': { readonly at: string; readonly device: string };
  /** In place of more of the two before it than are told one by one. */
  readonly 'account-news': Readonly<Record<string, never>>;
  readonly 'booking-made': CopyFacts & { readonly bookingId: string; readonly heldUntil: string };
  readonly 'paid-receipt': CopyFacts & {
    readonly bookingId: string;
    readonly transactionId: string;
    readonly paidAt: string;
    /** What of `priceCents` is postage and tax; these and those after them: not in what an earlier release queued. */
    readonly postageCents?: number;
    readonly taxCents?: number;
    readonly sellerName?: string;
    readonly orderId?: string;
    readonly termsVersion?: string;
    /** What was promised of each book, in a line, and the SHA-256 by which it is known to be unchanged. */
    readonly promised?: readonly { readonly title: string; readonly words: string; readonly hash: string }[];
  };
  /** To the seller. */
  readonly sold: CopyFacts & {
    readonly buyerName: string;
    /** What the buyer left to be reached by; not in what an earlier release queued. */
    readonly left?: 'phone' | 'place' | 'both' | 'nothing';
    /** These as well; `dueAt`: until when it is to be posted, or times are to be offered. */
    readonly orderId?: string;
    readonly delivery?: 'pickup' | 'post';
    readonly postageCents?: number;
    readonly dueAt?: string | null;
  };
  readonly 'seller-verified': Readonly<Record<string, never>>;
  /** `reason` is an admin's own words. */
  readonly 'admin-removed': { readonly reason: string };
  /** To the seller of a copy that an admin took down; `reason` is `""` where none was given. */
  readonly 'listing-removed': { readonly title: string; readonly reason: string };
  readonly 'verification-removed': { readonly reason: string };
  /** `until` is null where an admin has to lift it. */
  readonly identity: { readonly state: 'asked' | 'paused' | 'confirmed'; readonly by: string | null };
  /** Copies that a stock file added, changed and took away, those that an admin looks at first, and rows refused. */
  readonly 'stock-written': {
    readonly name: string;
    readonly added: number;
    readonly changed: number;
    readonly withdrawn: number;
    readonly waiting: number;
    readonly refused: number;
  };
  /** A seller made a key for a program; `name` is their own word. */
  readonly 'api-key-made': { readonly name: string };
  readonly 'listing-held': { readonly title: string; readonly isLive: boolean };
  readonly suspended: { readonly reason: string; readonly until: string | null };
  readonly 'suspension-lifted': Readonly<Record<string, never>>;
  /** To the first in the line behind a copy, who got the hold. */
  readonly 'line-turn': CopyFacts & { readonly bookingId: string; readonly heldUntil: string };
  /** To the reader who waits longest for a copy: `words` say what it is. */
  readonly 'want-offer': CopyFacts & { readonly offerId: string; readonly words: string; readonly heldUntil: string };
  /**
   * What is new of marked copies, saved searches (`query` stands behind `/search?`) and sellers who are followed, with
   * the books whose wants ended.
   */
  readonly digest: {
    readonly cheaper: readonly { readonly title: string; readonly fromCents: number; readonly toCents: number }[];
    readonly gone: readonly string[];
    readonly found: readonly {
      readonly name: string;
      readonly query: string;
      readonly count: number;
      readonly titles: readonly string[];
    }[];
    readonly sellers: readonly {
      readonly name: string;
      readonly slug: string;
      readonly count: number;
      readonly titles: readonly string[];
    }[];
    readonly ended: readonly string[];
  };
  readonly 'hold-lapsed': CopyFacts & { readonly bookingId: string };
  /** `priceCents` is what was given back. */
  readonly refunded: CopyFacts & {
    readonly bookingId: string;
    /** Absent in what an earlier release queued, and where the money bought nothing. */
    readonly orderId?: string;
    /** How it was paid where it could not go back as it came; else absent. */
    readonly otherwise?: string;
  };
  /** The copy was lost while the payment was on its way: all of it goes back by itself. */
  readonly 'money-returned': CopyFacts & { readonly bookingId: string };
  /** To everybody in the line behind a copy that is sold or was taken out of the shop. */
  readonly 'line-over': { readonly title: string; readonly isSold?: boolean };
  /** To admins. `reason` is the provider's word for it; `priceCents` is what is disputed. */
  readonly dispute: CopyFacts & {
    readonly bookingId: string;
    readonly reason: string;
    readonly state: 'open' | 'won' | 'lost';
    /** Until when it may be answered; absent in mails that an earlier release queued. */
    readonly dueBy?: string | null;
  };
  /** To whoever it is about; `reason` is an admin's. */
  readonly decision: {
    readonly kind: 'copy' | 'photo' | 'person' | 'review' | 'message';
    readonly title: string;
    readonly about: 'decided' | 'undone' | 'upheld' | 'taken-back';
    readonly action: 'no-fault' | 'warn' | 'hide' | 'suspend' | 'delete';
    readonly reason: string;
  };
  /** To whoever reported something. */
  readonly 'report-looked-at': { readonly title: string; readonly isActedOn: boolean };
  /** To the other side of a thread about a copy; never what was written. `from` is a name. */
  readonly message: { readonly threadId: string; readonly title: string; readonly from: string };
  /** To the other side of an order; never what was written. */
  readonly note: { readonly orderId: string; readonly title: string; readonly from: 'buyer' | 'seller' };
  /** About what the two sides of an order say of each other; never what was written. `reason` is an admin's. */
  readonly review: {
    readonly orderId: string;
    readonly title: string;
    readonly about: 'asked' | 'shown' | 'replied' | 'allowed' | 'removed';
    /** Whose mail it is. */
    readonly side: 'buyer' | 'seller';
    readonly reason: string;
  };
  /** To buyer, seller or admins. */
  readonly order: OrderNews;
  /** To a seller. */
  readonly payout: PayoutNews;
  /** To a seller whose money is sent by hand, about where it goes from now on. */
  readonly 'bank-details': { readonly isChange: boolean; readonly holdHours: number };
}

/** A move of an order, or that something about it is due; `cents` go back to the buyer with it. */
interface OrderNews {
  readonly orderId: string;
  /** Of all its books. */
  readonly title: string;
  /** The move's id, or `reminder`. */
  readonly about: string;
  readonly by: 'buyer' | 'seller' | 'admin' | 'clock' | 'settle' | 'bank';
  /** Whose mail it is. */
  readonly side: 'buyer' | 'seller' | 'admin';
  readonly state: string;
  readonly delivery: 'pickup' | 'post';
  readonly reason: string;
  readonly cents: number;
  /** Until when something is to be done. */
  readonly dueAt: string | null;
  readonly carrier: string;
  readonly tracking: string;
  readonly place: string;
  readonly times: string;
  /** How a book is sent back that its seller asked for, in their words. */
  readonly sendBack?: string;
  /** What of the promise its buyer says the book does not keep. */
  readonly statement?: Statement;
  /** What its buyer tells when the book is handed over. */
  readonly code: string | null;
}

/**
 * Money for a seller: it was sent; their bank sent it back; it waits for details; it has waited for long; what they are
 * due was corrected, by `cents` which may be below zero. `title` is of the order's books, empty where there are none.
 */
interface PayoutNews {
  readonly about: 'sent' | 'failed' | 'details' | 'unclaimed' | 'adjusted';
  /** Absent: by the payment service. */
  readonly way?: 'manual';
  readonly title: string;
  readonly cents: number;
  /** Why it came back, in the bank's words, or was corrected. */
  readonly reason: string;
  /** For how long it has waited. */
  readonly days: number;
}

interface CopyFacts {
  readonly title: string;
  readonly priceCents: number;
}

export type MailKind = keyof MailData;

/** A mail about an event to one user. */
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
