-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS payments_provider_booking;
CREATE UNIQUE INDEX CONCURRENTLY payments_provider_booking ON payments (provider_id, booking_id);
DROP INDEX CONCURRENTLY IF EXISTS payment_intents_checkout_n;
CREATE UNIQUE INDEX CONCURRENTLY payment_intents_checkout_n ON payment_intents (checkout_id, n);
DROP INDEX CONCURRENTLY IF EXISTS refunds_id;
CREATE UNIQUE INDEX CONCURRENTLY refunds_id ON refunds (id);
DROP INDEX CONCURRENTLY IF EXISTS refunds_payment;
CREATE INDEX CONCURRENTLY refunds_payment ON refunds (payment_id);
DROP INDEX CONCURRENTLY IF EXISTS refunds_intent_n;
CREATE UNIQUE INDEX CONCURRENTLY refunds_intent_n ON refunds (intent_id, n);
