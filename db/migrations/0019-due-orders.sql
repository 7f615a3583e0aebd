-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS orders_seller_due;
CREATE INDEX CONCURRENTLY orders_seller_due ON orders (seller_id, due_at) WHERE due_at IS NOT NULL;
