-- What kind of shop this database holds; production refuses one marked as demo. Owner: server/platform.

CREATE TABLE shop (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  demo boolean NOT NULL,
  seeded_at timestamptz
);
