-- Reading one's own writes where public reads go to replicas (src/server/platform/replicas.ts). Owner: server/identity.

-- Where the log stood after the last change that was made in a session; only written where there are replicas.
ALTER TABLE sessions ADD COLUMN wrote_at pg_lsn;
