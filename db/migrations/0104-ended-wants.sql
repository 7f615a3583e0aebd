-- concurrent
-- Readers who are to be told that a want has ended (server/wants/watching).

DROP INDEX CONCURRENTLY IF EXISTS wants_ended;
CREATE INDEX CONCURRENTLY wants_ended ON wants (user_id) WHERE NOT told_ended;
