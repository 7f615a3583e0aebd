-- Which book of an order a move was about: of one that was taken out of its parcel this says whose it is now.

ALTER TABLE order_events ADD COLUMN booking_id uuid;
ALTER TABLE order_events ADD CONSTRAINT order_events_booking FOREIGN KEY (booking_id) REFERENCES bookings NOT VALID;

-- A book whose order gave all of its price back is sold no more, whatever became of its share of the postage.
UPDATE bookings AS b SET refunded_at = shop_now()
FROM payments AS p
WHERE p.booking_id = b.id AND p.outcome = 'sale' AND b.refunded_at IS NULL
  AND (SELECT sum(r.amount_cents - r.postage_cents) FROM refunds AS r
    WHERE r.payment_id = p.id AND r.state = 'done' HAVING bool_or(r.reason = 'order')) = p.amount_cents - p.postage_cents;
