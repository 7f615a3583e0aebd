-- Who wrote a copy, out of the text that its seller typed. Owner: server/catalog/authors.

-- The names in a field of authors, each as people say it: "Le Guin, Ursula K. (Author); Pratchett & Gaiman" is
-- {Ursula K. Le Guin, Pratchett, Gaiman}. A comma parts two names, but for a surname before the first names alone.
-- At most 20: whoever names more has written something else there.
CREATE FUNCTION author_names(authors text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  one text;
  parts text[];
  names text[] := '{}';
BEGIN
  IF authors = '' THEN
    RETURN names;
  END IF;
  FOREACH one IN ARRAY regexp_split_to_array(
    regexp_replace(authors, '\([^)]*\)|\[[^]]*\]', ' ', 'g'), '[;|&\n]|\s+and\s+', 'i')
  LOOP
    -- Years of a life and what somebody did to the book are no names; "Jr." belongs to the name before it.
    one := regexp_replace(one, ',\s*((jr|sr|ii|iii|iv)\M\.?)', ' \1', 'gi');
    parts := ARRAY(
      SELECT part FROM (
        SELECT btrim(regexp_replace(regexp_replace(said, '^\s*by\s+', '', 'i'), '\s+', ' ', 'g')) AS part, place
        FROM regexp_split_to_table(one, ',') WITH ORDINALITY AS said (said, place)
      ) AS tidy
      WHERE part ~ '[[:alpha:]]' AND part !~ '\d{3}'
        AND part !~* '^(et al|editors?|eds?|illustrators?|illus|translators?|trans|authors?|phd|md)\.?$'
      ORDER BY place);
    IF cardinality(parts) = 2
      AND parts[1] ~* '^((de|del|della|da|di|du|des|la|le|van|von|der|den|ten|ter|al|el|bin|ibn|st\.?|saint) )*[^ .]+$'
      AND parts[2] ~ '^([[:alpha:]]\.[ -]?|[[:alpha:]] )*([^ .]{2,})?( ?[[:alpha:]]\.| [[:alpha:]]\M)*$' THEN
      names := names || (parts[2] || ' ' || parts[1]);
    ELSE
      names := names || parts;
    END IF;
  END LOOP;
  RETURN names[1:20];
END $$;

-- What the page of an author is called: "Ursula K. Le Guin" is ursula-k-le-guin, "J. K. Rowling" and "J K Rowling" are
-- jk-rowling. Of a slug it is that slug. Empty for what names nobody.
CREATE FUNCTION author_slug(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  slug text := replace(regexp_replace(regexp_replace(public.search_text(name),
    '\m([[:alpha:]]) (?=[[:alpha:]]\M)', '\1', 'g'), '( (jr|sr|ii|iii|iv))+$', ''), ' ', '-');
BEGIN
  RETURN CASE
    WHEN length(slug) > 80 OR slug !~ '[[:alpha:]]' THEN ''
    WHEN slug ~ '^((various|multiple|several|unknown)(-(authors?|writers?|artists?))?|authors?|anon|anonymous|none|na|not-(known|available)|(and-)?others|etal|et-al)$' THEN ''
    ELSE slug
  END;
END $$;

-- What copies are found by on an author's page.
CREATE FUNCTION author_slugs(authors text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  name text;
  slug text;
  slugs text[] := '{}';
BEGIN
  FOREACH name IN ARRAY public.author_names(authors) LOOP
    slug := public.author_slug(name);
    IF slug <> '' AND slug <> ALL (slugs) THEN
      slugs := slugs || slug;
    END IF;
  END LOOP;
  RETURN slugs;
END $$;
