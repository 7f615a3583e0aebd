-- concurrent
-- What was deleted lately is looked through by time; both are few beside what is there.
DROP INDEX CONCURRENTLY IF EXISTS users_deleted;
CREATE INDEX CONCURRENTLY users_deleted ON users (deleted_at DESC, id DESC) WHERE deleted_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS listings_withdrawn;
CREATE INDEX CONCURRENTLY listings_withdrawn ON listings (updated_at DESC, id DESC) WHERE status = 'withdrawn';
