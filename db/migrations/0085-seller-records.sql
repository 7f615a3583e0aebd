-- What became of a seller's orders, in numbers, added up as each ends. Owner: server/orders/record.

CREATE TABLE seller_records (
  seller_id uuid PRIMARY KEY REFERENCES users,
  -- that came to their buyers, whatever was said of them afterwards
  orders integer NOT NULL DEFAULT 0 CHECK (orders >= 0),
  -- of those and of what should have come: sent by post, and by the promised day
  posted integer NOT NULL DEFAULT 0 CHECK (posted >= 0),
  posted_in_time integer NOT NULL DEFAULT 0 CHECK (posted_in_time BETWEEN 0 AND posted),
  -- refused, or not sent
  cancelled integer NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  -- complaints after which money went back
  upheld integer NOT NULL DEFAULT 0 CHECK (upheld >= 0),
  -- in which the buyer wrote, and the seller answered within a day
  asked integer NOT NULL DEFAULT 0 CHECK (asked >= 0),
  answered integer NOT NULL DEFAULT 0 CHECK (answered BETWEEN 0 AND asked)
);
