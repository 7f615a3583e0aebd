import type { Generated } from 'kysely';

/** What a side of a closed order says of the other. */
export interface ReviewsTable {
  id: Generated<string>;
  order_id: string;
  by: 'buyer' | 'seller';
  author_id: string;
  subject_id: string;
  stars: number;
  as_described: boolean | null;
  well_packed: boolean | null;
  in_time: boolean | null;
  words: string;
  /** `held`: it names a link or a contact, and waits for an admin. */
  state: 'open' | 'held' | 'removed';
  written_at: Generated<Date>;
  /** Null until the other side has written or has had its time. */
  shown_at: Date | null;
  reply: Generated<string>;
  replied_at: Date | null;
  is_reply_held: Generated<boolean>;
}
