-- Which country a seller posts from. Owner: server/catalog.

-- Until now the first of the countries that they post to. Who chose every country had them by their letters, so that
-- theirs is not known: then it is that of the shop's money.
ALTER TABLE delivery_terms ADD COLUMN home text NOT NULL DEFAULT 'US' CONSTRAINT delivery_terms_home CHECK (home ~ '^[A-Z]{2}$');
UPDATE delivery_terms SET home = countries[1]
WHERE cardinality(countries) > 0 AND NOT (countries[1] = 'AD' AND cardinality(countries) > 200);
