import type { Generated } from 'kysely';

/** Two people who write to each other about something; so far that is an order. */
export interface MessageThreadsTable {
  id: Generated<string>;
  order_id: string | null;
  buyer_id: string;
  seller_id: string;
  created_at: Generated<Date>;
}

export interface MessagesTable {
  id: Generated<string>;
  /** bigint: a string on the way out of the driver. In which order they were written. */
  n: Generated<string>;
  thread_id: string;
  sender_id: string;
  /** Empty once it was forgotten. */
  body: string;
  at: Generated<Date>;
  forgotten_at: Generated<Date | null>;
}
