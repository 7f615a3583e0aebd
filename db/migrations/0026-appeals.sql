-- A dispute that was lost may be won on appeal.

-- When it was lost, where it was won afterwards; null else.
ALTER TABLE disputes ADD COLUMN lost_at timestamptz;
