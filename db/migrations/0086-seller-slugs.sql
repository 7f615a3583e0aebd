-- What the page of a seller is called. Owner: server/sellers; the column stands with the name it is made of.

ALTER TABLE users ADD COLUMN seller_slug text;

-- Whoever becomes a seller gets the address of a page out of their name, which stays when they change it; set to null,
-- it is made anew. Somebody else of the same name gets a part of their id behind it.
CREATE FUNCTION name_seller_page() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  slug text := coalesce(nullif(public.author_slug(NEW.name), ''), 'seller');
BEGIN
  IF NEW.is_seller AND NEW.seller_slug IS NULL AND NEW.deleted_at IS NULL THEN
    -- Of two of one name who come at once the second waits, and sees the first.
    PERFORM pg_advisory_xact_lock(hashtext('seller_slug'));
    IF EXISTS (SELECT FROM public.users WHERE seller_slug = slug AND id <> NEW.id) THEN
      slug := slug || '-' || left(NEW.id::text, 8);
    END IF;
    NEW.seller_slug := slug;
  END IF;
  RETURN NEW;
END $$;
