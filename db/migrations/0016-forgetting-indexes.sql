-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS orders_to_forget;
CREATE INDEX CONCURRENTLY orders_to_forget ON orders (closed_at) WHERE closed_at IS NOT NULL AND forgotten_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS checkouts_with_address;
CREATE INDEX CONCURRENTLY checkouts_with_address ON checkouts (created_at) WHERE address IS NOT NULL;
