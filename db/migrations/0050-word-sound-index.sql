-- concurrent
DROP INDEX CONCURRENTLY IF EXISTS search_words_sounds;
CREATE INDEX CONCURRENTLY search_words_sounds ON search_words (sound) WHERE sound IS NOT NULL;
