-- Where programs of sellers are told of what was sold. Owner: server/programs.

CREATE TABLE seller_webhooks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  seller_id uuid NOT NULL REFERENCES users,
  url text NOT NULL CHECK (length(url) <= 2048),
  events text[] NOT NULL CHECK (events <@ ARRAY['order.paid', 'copy.sold', 'order.cancelled'] AND events <> '{}'),
  -- signs what is sent; its seller was shown it once
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX seller_webhooks_seller ON seller_webhooks (seller_id, created_at);

CREATE TABLE webhook_deliveries (
  -- the same each time that it is tried: its receiver knows it again
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  webhook_id uuid NOT NULL REFERENCES seller_webhooks ON DELETE CASCADE,
  event text NOT NULL,
  -- null for a test
  order_id uuid REFERENCES orders,
  listing_id uuid,
  at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'given-up')),
  attempts integer NOT NULL DEFAULT 0,
  -- until when it is tried
  until timestamptz NOT NULL DEFAULT now() + interval '3 days',
  next_at timestamptz NOT NULL DEFAULT now(),
  -- what was answered last
  status integer,
  problem text NOT NULL DEFAULT ''
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (webhook_id, at DESC, id DESC);
CREATE INDEX webhook_deliveries_old ON webhook_deliveries (at);

-- In the transaction of the move, at its end: by then the bookings say whose order they are. Where a seller has no
-- webhook it is one look into an index.
CREATE FUNCTION note_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (webhook_id, event, order_id, listing_id)
  SELECT w.id, e.event, o.id, e.listing_id
  FROM orders AS o JOIN seller_webhooks AS w ON w.seller_id = o.seller_id
  CROSS JOIN LATERAL (
    SELECT CASE NEW.to_state WHEN 'paid' THEN 'order.paid' ELSE 'order.cancelled' END AS event, NULL::uuid AS listing_id
    UNION ALL
    SELECT 'copy.sold', b.listing_id FROM bookings AS b WHERE b.order_id = o.id AND NEW.to_state = 'paid'
  ) AS e
  WHERE o.id = NEW.order_id AND e.event = ANY (w.events);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER order_events_webhooks AFTER INSERT ON order_events DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((NEW.to_state = 'paid' AND NEW.from_state IS NULL) OR NEW.to_state = 'cancelled')
  EXECUTE FUNCTION note_webhook_events();
