import type { Generated } from 'kysely';

/** What two people write to each other about a copy, and from when it was bought about the order. */
export interface MessageThreadsTable {
  id: Generated<string>;
  order_id: string | null;
  /** Null where an earlier release opened the thread of an order. */
  listing_id: string | null;
  buyer_id: string;
  seller_id: string;
  created_at: Generated<Date>;
  /** bigint: a string on the way out of the driver. Of its newest message; kept by the database. */
  last_n: Generated<string>;
  /** Up to which message each side has read. */
  buyer_read: Generated<string>;
  seller_read: Generated<string>;
  buyer_muted: Generated<boolean>;
  seller_muted: Generated<boolean>;
  /** Where it goes on, whose copies were bought together with another's. */
  continued_in: Generated<string | null>;
}

export interface MessagesTable {
  id: Generated<string>;
  /** bigint: a string on the way out of the driver. In which order they were written. */
  n: Generated<string>;
  thread_id: string;
  sender_id: string;
  /** Empty once it was forgotten, and where there are photos alone. */
  body: string;
  at: Generated<Date>;
  forgotten_at: Generated<Date | null>;
  /** From when on an admin has put it out of sight. */
  hidden_at: Date | null;
}

/** Whom somebody takes no messages from. */
export interface MessageBlocksTable {
  blocker_id: string;
  blocked_id: string;
  at: Generated<Date>;
}
