-- What a booking was promised of its copy, whole: texts, facts, grade, defects, photos by the names of their files, and
-- the price. It says nothing of its buyer or seller, so that forgetting them leaves it, and its hash, as they are.
-- Owner: server/bookings.

CREATE TABLE booking_promises (
  booking_id uuid PRIMARY KEY REFERENCES bookings ON DELETE CASCADE,
  promise jsonb NOT NULL CHECK (jsonb_typeof(promise) = 'object'),
  -- sha-256 of the promise as RFC 8785 writes it
  hash bytea NOT NULL CHECK (length(hash) = 32)
);

-- What was paid for is promised for good.
CREATE FUNCTION keep_promise_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bookings WHERE id = OLD.booking_id AND paid_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the promise of booking % is final', OLD.booking_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER booking_promises_final BEFORE UPDATE ON booking_promises
  FOR EACH ROW EXECUTE FUNCTION keep_promise_final();

-- A photo that an admin took down is shown by no promise either, from then on; what was promised keeps its name.
ALTER TABLE photo_files ADD COLUMN taken_down_at timestamptz;
CREATE FUNCTION break_promises_of_photo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM promised_photos WHERE name = NEW.name;
  RETURN NULL;
END $$;
CREATE TRIGGER photo_files_taken_down AFTER UPDATE OF taken_down_at ON photo_files
  FOR EACH ROW WHEN (NEW.taken_down_at IS DISTINCT FROM OLD.taken_down_at)
  EXECUTE FUNCTION break_promises_of_photo();

-- A statement may be any of the promise's. Owner: server/orders.
ALTER TABLE order_problems DROP CONSTRAINT order_problems_statement;
ALTER TABLE order_problems ADD CONSTRAINT order_problems_statement
  CHECK (statement IS NULL OR (kind = 'not-as-described' AND statement ~ '^[a-z-]{3,30}$')) NOT VALID;
