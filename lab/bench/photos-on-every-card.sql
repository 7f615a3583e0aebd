-- Gives each copy of a demo shop that has no photo one of the sample photos, so that pages can be measured with photos
-- on every card (lab/bench/pictured-shop.ts).
WITH bare AS (
    SELECT id, row_number() OVER (ORDER BY id) AS n FROM listings WHERE image_url = '' AND status <> 'withdrawn'),
  shown AS (
    SELECT p.id, p.name, row_number() OVER (ORDER BY p.id) AS n, count(*) OVER () AS count
    FROM photos AS p JOIN listing_photos AS i ON i.photo_id = p.id AND i.position = 0 WHERE p.name IS NOT NULL),
  pairs AS (
    SELECT bare.id AS listing_id, shown.id AS photo_id, shown.name FROM bare JOIN shown ON shown.n = bare.n % shown.count + 1),
  placed AS (
    INSERT INTO listing_photos (listing_id, position, photo_id, caption)
    SELECT listing_id, 0, photo_id, 'front' FROM pairs)
UPDATE listings SET image_url = pairs.name FROM pairs WHERE listings.id = pairs.listing_id;
