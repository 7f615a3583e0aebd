-- Which statement of the promise a book does not keep, as its buyer says. Owner: server/orders.

ALTER TABLE order_problems ADD COLUMN statement text;
ALTER TABLE order_problems ADD CONSTRAINT order_problems_statement
  CHECK (statement IS NULL
    OR (kind = 'not-as-described' AND statement IN ('title', 'author', 'condition', 'details', 'picture'))) NOT VALID;
