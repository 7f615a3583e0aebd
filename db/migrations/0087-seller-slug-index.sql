-- concurrent
-- By which the page of a seller is found.
DROP INDEX CONCURRENTLY IF EXISTS users_seller_slug;
CREATE UNIQUE INDEX CONCURRENTLY users_seller_slug ON users (seller_slug) WHERE seller_slug IS NOT NULL;
