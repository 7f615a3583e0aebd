-- What admins did, kept for good (owner: server/audit), and what follows when a seller is deleted.

CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id uuid NOT NULL REFERENCES users,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  subject_kind text NOT NULL CHECK (length(subject_kind) BETWEEN 1 AND 50),
  subject_id text NOT NULL CHECK (length(subject_id) BETWEEN 1 AND 200),
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_entries_subject ON audit_entries (subject_kind, subject_id, id);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A deleted seller's copy never gets (back) on the shelf, whichever way: a listing that was on its way while its seller was
-- being deleted, or a held copy whose hold ends afterwards. FOR SHARE waits for a deletion under way and makes the next one wait.
CREATE FUNCTION withdraw_copy_of_deleted_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = NEW.seller_id AND deleted_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    NEW.status := 'withdrawn';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER listings_of_deleted_seller BEFORE INSERT OR UPDATE OF status ON listings
  FOR EACH ROW WHEN (NEW.status = 'available') EXECUTE FUNCTION withdraw_copy_of_deleted_seller();

-- keyset order of the lists of people
CREATE INDEX users_newest ON users (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX users_sellers_newest ON users (created_at DESC, id DESC) WHERE deleted_at IS NULL AND is_seller;
