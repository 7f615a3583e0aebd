-- What sellers typed into Add A Product and have not sent, one form a seller, on whichever device. Owner:
-- server/catalog.

CREATE TABLE listing_drafts (
  owner_id uuid PRIMARY KEY REFERENCES users,
  -- Goes up with each save: who saves says which one they had.
  version bigint NOT NULL,
  -- By the names of the form's fields, as they were typed.
  fields jsonb NOT NULL CHECK (jsonb_typeof(fields) = 'object' AND length(fields::text) <= 200000),
  -- [{id, caption}], the cover first; photos say themselves until when they are kept
  photos jsonb NOT NULL CHECK (jsonb_typeof(photos) = 'array'),
  saved_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX listing_drafts_saved ON listing_drafts (saved_at);
