-- What the shop forgets of orders, and of whoever left.

-- When address, place and phone were taken out of it and of its bookings.
ALTER TABLE orders ADD COLUMN forgotten_at timestamptz;

-- Words in a timeline are forgotten with whoever wrote them; nothing else of it ever changes.
CREATE FUNCTION keep_order_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.reason <> '' OR to_jsonb(NEW) - 'reason' IS DISTINCT FROM to_jsonb(OLD) - 'reason' THEN
    RAISE EXCEPTION 'order_events is append-only' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER order_events_append_only ON order_events;
CREATE TRIGGER order_events_keep BEFORE UPDATE ON order_events FOR EACH ROW EXECUTE FUNCTION keep_order_event();
CREATE TRIGGER order_events_stay BEFORE DELETE OR TRUNCATE ON order_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
