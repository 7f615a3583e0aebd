import type { Generated } from 'kysely';

/** What happened to somebody, as their bell shows it. */
export interface NoticesTable {
  /** bigint: a string on the way out of the driver. In which order they came. */
  id: Generated<string>;
  user_id: string;
  /** Names the event: one notice of each for one user. */
  key: string;
  topic: string;
  title: string;
  /** The page it is about; empty for none. */
  path: string;
  at: Generated<Date>;
  read_at: Date | null;
}

/** Who does not want everything mailed, and the token of their links. */
export interface MailChoicesTable {
  user_id: string;
  token: Generated<string>;
  /** Topics that are in the bell alone. */
  not_mailed: Generated<string[]>;
}
