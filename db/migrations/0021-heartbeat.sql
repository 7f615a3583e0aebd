-- When the shop last looked after its orders, by the real clock: what is more than an hour ago is a standstill.
-- Owner: server/orders.
CREATE TABLE order_heartbeat (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  at timestamptz NOT NULL DEFAULT now()
);
