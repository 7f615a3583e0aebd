-- Looking whether new copies are wanted costs an import less: the rows of a batch are found one by one, never by reading
-- all copies, and a title without a part behind it is compared once. Owner: server/wants.

CREATE OR REPLACE FUNCTION title_keys(title text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_remove(array_remove(ARRAY[
    regexp_replace(public.search_text(title), '^(the|a|an) ', ''),
    CASE WHEN title ~ '[:(\[]'
      THEN regexp_replace(public.search_text(regexp_replace(title, '\s*[:(\[].*$', '')), '^(the|a|an) ', '') END], ''), NULL)
$$;

CREATE OR REPLACE FUNCTION set_new_copies_aside() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted uuid[];
BEGIN
  -- OFFSET 0: how many rows a batch has is not known beforehand, and all copies would be read for them.
  SELECT array_agg(l.id) INTO wanted FROM changed AS c
    CROSS JOIN LATERAL (SELECT * FROM listings WHERE id = c.id OFFSET 0) AS l
    WHERE c.status = 'available' AND l.status = 'available' AND is_wanted(l::listings);
  IF wanted IS NOT NULL THEN
    INSERT INTO copies_aside (listing_id) SELECT unnest(wanted);
    UPDATE listings SET status = 'paused', on_shelf = false, updated_at = now() WHERE id = ANY (wanted);
  END IF;
  RETURN NULL;
END $$;
