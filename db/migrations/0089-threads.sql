-- A thread is about a copy and one who asks for it; once they bought the copy it goes on as the thread of their order.
-- Owner: server/messages.

ALTER TABLE message_threads
  -- null where an earlier release opened the thread of an order
  ADD COLUMN listing_id uuid,
  -- of its newest message, by which threads are in order
  ADD COLUMN last_n bigint NOT NULL DEFAULT 0,
  -- up to which message each side has read
  ADD COLUMN buyer_read bigint NOT NULL DEFAULT 0,
  ADD COLUMN seller_read bigint NOT NULL DEFAULT 0,
  -- whether each side wants to hear nothing of it but what it shows
  ADD COLUMN buyer_muted boolean NOT NULL DEFAULT false,
  ADD COLUMN seller_muted boolean NOT NULL DEFAULT false,
  -- where it goes on when its buyer bought several copies together and asked about more than one
  ADD COLUMN continued_in uuid,
  ADD CONSTRAINT message_threads_listing FOREIGN KEY (listing_id) REFERENCES listings NOT VALID,
  ADD CONSTRAINT message_threads_continued FOREIGN KEY (continued_in) REFERENCES message_threads NOT VALID,
  ADD CONSTRAINT message_threads_about CHECK (order_id IS NOT NULL OR listing_id IS NOT NULL) NOT VALID;

-- What was written until now was told by mail and is not new.
UPDATE message_threads AS t SET
  listing_id = (SELECT b.listing_id FROM bookings AS b WHERE b.order_id = t.order_id ORDER BY b.created_at, b.id LIMIT 1),
  (last_n, buyer_read, seller_read) = (SELECT coalesce(max(n), 0), coalesce(max(n), 0), coalesce(max(n), 0)
    FROM messages WHERE thread_id = t.id);

-- A photo says something without words.
ALTER TABLE messages DROP CONSTRAINT messages_check;

-- What somebody shows with a message, to those whom it concerns.
CREATE TABLE message_photos (
  message_id uuid NOT NULL REFERENCES messages,
  position integer NOT NULL CHECK (position BETWEEN 0 AND 7),
  photo_id uuid NOT NULL REFERENCES photos,
  PRIMARY KEY (message_id, position)
);
CREATE INDEX message_photos_photo ON message_photos (photo_id);

-- Who wants to hear nothing of whom.
CREATE TABLE message_blocks (
  blocker_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  blocked_id uuid NOT NULL REFERENCES users ON DELETE CASCADE CHECK (blocked_id <> blocker_id),
  at timestamptz NOT NULL DEFAULT shop_now(),
  PRIMARY KEY (blocker_id, blocked_id)
);

-- Keeps the place of a thread among others, whatever release writes in it, and tells whoever listens to either side.
-- Whoever writes has read what was there.
CREATE FUNCTION tell_message() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  side record;
BEGIN
  UPDATE message_threads SET last_n = greatest(last_n, NEW.n),
    buyer_read = CASE WHEN buyer_id = NEW.sender_id THEN NEW.n ELSE buyer_read END,
    seller_read = CASE WHEN seller_id = NEW.sender_id THEN NEW.n ELSE seller_read END
    WHERE id = NEW.thread_id RETURNING buyer_id, seller_id INTO side;
  PERFORM pg_notify('messages', NEW.thread_id || ' ' || side.buyer_id || ' ' || side.seller_id);
  RETURN NULL;
END $$;
CREATE TRIGGER messages_tell AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION tell_message();

-- What was asked before a copy was bought goes on as the thread of its order. Of several copies bought together the
-- first thread is the order's, and the others go on in it.
CREATE FUNCTION continue_thread() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked uuid;
  ours uuid;
BEGIN
  SELECT id INTO asked FROM message_threads WHERE listing_id = NEW.listing_id AND buyer_id = NEW.buyer_id
    AND order_id IS NULL AND continued_in IS NULL FOR UPDATE;
  IF asked IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT id INTO ours FROM message_threads WHERE order_id = NEW.order_id FOR UPDATE;
  IF ours IS NULL THEN
    UPDATE message_threads SET order_id = NEW.order_id WHERE id = asked;
    RETURN NULL;
  END IF;
  UPDATE messages SET thread_id = ours WHERE thread_id = asked;
  UPDATE message_threads AS t SET last_n = greatest(t.last_n, o.last_n), buyer_read = least(t.buyer_read, o.buyer_read),
    seller_read = least(t.seller_read, o.seller_read) FROM message_threads AS o WHERE t.id = ours AND o.id = asked;
  UPDATE message_threads SET continued_in = ours WHERE id = asked;
  RETURN NULL;
END $$;
CREATE TRIGGER bookings_continue_thread AFTER UPDATE OF order_id ON bookings FOR EACH ROW
  WHEN (OLD.order_id IS NULL AND NEW.order_id IS NOT NULL) EXECUTE FUNCTION continue_thread();
