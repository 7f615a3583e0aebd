-- What managing a shop asks: a seller's buyers, and every copy of a category, sold and withdrawn ones too.

-- from the copies of a seller to their bookings
CREATE INDEX bookings_listing ON bookings (listing_id, created_at DESC, id DESC);
-- merging and deleting categories; the partial index knows only what is on the shelf
CREATE INDEX listings_category ON listings (category_id);
