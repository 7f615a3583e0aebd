import { sql } from 'kysely';

/** Another secret for the address of a feed: two random UUIDs, as the table gives a new row. */
export const NEW_FEED_TOKEN = sql<string>`replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`;
