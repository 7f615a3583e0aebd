-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS listings_withdrawn_photos;
CREATE INDEX CONCURRENTLY listings_withdrawn_photos ON listings (withdrawn_at)
  WHERE withdrawn_at IS NOT NULL AND length(image_url) = 22;
