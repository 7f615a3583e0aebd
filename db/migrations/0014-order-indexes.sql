-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS bookings_order_id;
CREATE INDEX CONCURRENTLY bookings_order_id ON bookings (order_id);
DROP INDEX CONCURRENTLY IF EXISTS ledger_transactions_order;
CREATE INDEX CONCURRENTLY ledger_transactions_order ON ledger_transactions (order_id);
