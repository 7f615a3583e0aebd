-- What admins did, kept for good. Owner: server/audit.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;

CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- null for the command line: the first admin is made by nobody who has an account
  actor_id uuid REFERENCES users,
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 100),
  subject_kind text NOT NULL CHECK (length(subject_kind) BETWEEN 1 AND 50),
  subject_id text NOT NULL CHECK (length(subject_id) BETWEEN 1 AND 200),
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_entries_subject ON audit_entries (subject_kind, subject_id, id);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, id);
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
