-- Whether orders are moved when they are due. Owner: server/orders.

-- The last heartbeat by the shop's clock, and the one before it: what was due by then has had a minute and more to be
-- moved since. Compared with the time itself, orders would seem late after each restart, and each move of a demo's clock.
ALTER TABLE order_heartbeat ADD COLUMN shop_at timestamptz;
ALTER TABLE order_heartbeat ADD COLUMN shop_at_before timestamptz;
