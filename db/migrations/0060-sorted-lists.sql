-- concurrent
-- The other orders of a seller's own copies, of the users and of the payments. Like every index of the copies they ask
-- for nothing that a booking changes; of a text its first 100 letters (src/server/platform/sorted-cursor.ts).
DROP INDEX CONCURRENTLY IF EXISTS listings_seller_title;
CREATE INDEX CONCURRENTLY listings_seller_title ON listings (seller_id, (left(title_key, 100)) COLLATE "C", id);
DROP INDEX CONCURRENTLY IF EXISTS listings_seller_price;
CREATE INDEX CONCURRENTLY listings_seller_price ON listings (seller_id, resale_cents, id);
DROP INDEX CONCURRENTLY IF EXISTS users_name;
CREATE INDEX CONCURRENTLY users_name ON users ((left(search_text(name), 100)) COLLATE "C", id) WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS payments_amount;
CREATE INDEX CONCURRENTLY payments_amount ON payments (amount_cents, id);
