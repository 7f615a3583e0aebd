-- concurrent
-- A seller's bookings in the order of time, however many there are. Owner: server/bookings.

DROP INDEX CONCURRENTLY IF EXISTS bookings_seller_newest;
CREATE INDEX CONCURRENTLY bookings_seller_newest ON bookings (seller_id, created_at DESC, id DESC);
