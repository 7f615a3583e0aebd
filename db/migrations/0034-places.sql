-- concurrent
-- Finding copies by where they are, as people say it. Owner: server/catalog.

-- what is in one place, newest first
DROP INDEX CONCURRENTLY IF EXISTS shelf_location_newest;
CREATE INDEX CONCURRENTLY shelf_location_newest ON listings (location, published_at DESC, id DESC) WHERE on_shelf;
-- the places that a name may mean: "portland" is "Portland, OR" and "Portland, ME"
DROP INDEX CONCURRENTLY IF EXISTS shelf_place;
CREATE INDEX CONCURRENTLY shelf_place ON listings (search_text(location) COLLATE "C", location COLLATE "C") WHERE on_shelf;
DROP INDEX CONCURRENTLY IF EXISTS categories_name_words;
CREATE INDEX CONCURRENTLY categories_name_words ON categories (search_text(name));
