-- concurrent
-- One thread a copy and buyer until it is an order's, and the threads of each side, the last written in first.
DROP INDEX CONCURRENTLY IF EXISTS message_threads_asked;
CREATE UNIQUE INDEX CONCURRENTLY message_threads_asked ON message_threads (listing_id, buyer_id)
  WHERE order_id IS NULL AND continued_in IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS message_threads_buyer;
CREATE INDEX CONCURRENTLY message_threads_buyer ON message_threads (buyer_id, last_n DESC) WHERE continued_in IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS message_threads_seller;
CREATE INDEX CONCURRENTLY message_threads_seller ON message_threads (seller_id, last_n DESC) WHERE continued_in IS NULL;
