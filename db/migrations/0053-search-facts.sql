-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_signed;
CREATE INDEX CONCURRENTLY copy_passports_signed ON copy_passports (listing_id) WHERE signed <> 'no';
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_first;
CREATE INDEX CONCURRENTLY copy_passports_first ON copy_passports (listing_id)
  WHERE printing IN ('first edition', 'first printing');
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_binding;
CREATE INDEX CONCURRENTLY copy_passports_binding ON copy_passports (binding) WHERE binding IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS copy_passports_language;
CREATE INDEX CONCURRENTLY copy_passports_language ON copy_passports (language) WHERE language <> '';
DROP INDEX CONCURRENTLY IF EXISTS shelf_publisher_newest;
CREATE INDEX CONCURRENTLY shelf_publisher_newest ON listings (publisher, published_at DESC, id DESC) WHERE on_shelf;
