-- How words sound, for what is misspelt by ear and for names out of other alphabets. Owner: server/catalog.

-- What is left of a word, as search_text writes it, when spellings of one sound are written alike: consonants only, and
-- those of one kind as one ("dostoevsky" and "dostojewski", "steven" and "stephen", "grate" and "great").
CREATE FUNCTION search_sound(word text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  heard text := word;
BEGIN
  heard := regexp_replace(heard, '^(?:ye|je|ie)', 'e');
  heard := regexp_replace(heard, '^(?:kn|gn|pn)', 'n');
  heard := regexp_replace(heard, '^wr', 'r');
  heard := regexp_replace(heard, 'tzsch|tsch|tch|cz|ch', 'C', 'g');
  heard := regexp_replace(heard, 'sch|sh|sz', 'S', 'g');
  heard := replace(replace(replace(heard, 'zh', 'Z'), 'ph', 'f'), 'ck', 'k');
  heard := regexp_replace(heard, 't[sz]|s?c(?=[eiy])', 's', 'g');
  heard := replace(heard, 'x', 'ks');
  heard := translate(heard, 'cqvwzd', 'kkffst');
  heard := regexp_replace(heard, '^[aeiouy]', 'A');
  heard := left(heard, 1) || regexp_replace(substr(heard, 2), '[aeiouyhj]', '', 'g');
  RETURN regexp_replace(heard, '(.)\1+', '\1', 'g');
END $$;

-- Unknown for the words of before until they are swept next (src/server/catalog/search/word-sweep.queries.ts).
ALTER TABLE search_words ADD COLUMN sound text;

-- The words that are known already are most of them: these are not listened to anew.
CREATE OR REPLACE FUNCTION remember_words(source text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO search_words (word, sound)
  SELECT word, public.search_sound(word) FROM (
    SELECT DISTINCT word FROM unnest(source) AS text, unnest(string_to_array(public.search_text(text), ' ')) AS word
    WHERE length(word) BETWEEN 2 AND 60 AND word !~ '^[0-9]+$') AS named
  WHERE NOT EXISTS (SELECT FROM search_words AS known WHERE known.word = named.word)
  ORDER BY word
  ON CONFLICT DO NOTHING
$$;
