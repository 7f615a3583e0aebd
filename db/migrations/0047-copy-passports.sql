-- What is said of a copy as data, beside its listing: bookings rewrite that row, and nothing here changes with them.
-- Null, or an empty text, is unknown and no "no". Owner: server/catalog/passports.

CREATE TABLE copy_passports (
  listing_id uuid PRIMARY KEY REFERENCES listings ON DELETE CASCADE,
  -- The version of the table of defects by which it was graded (src/contract/catalog/passport).
  rules integer NOT NULL CHECK (rules > 0),
  grade text CHECK (grade IN ('As New', 'Fine', 'Near Fine', 'Very Good', 'Good', 'Fair', 'Poor')),
  jacket_grade text CHECK (jacket_grade IN ('As New', 'Fine', 'Near Fine', 'Very Good', 'Good', 'Fair', 'Poor')),
  binding text,
  -- Three letters of ISO 639-2/B.
  language text NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{3})?$'),
  pages integer CHECK (pages > 0),
  edition text NOT NULL DEFAULT '' CHECK (length(edition) <= 100),
  printing text,
  signed text CHECK (signed IN ('no', 'signed', 'inscribed', 'association')),
  jacket text CHECK (jacket IN ('with', 'missing', 'none issued')),
  book_club boolean,
  -- Told by the defects: null while nobody looked for any.
  ex_library boolean,
  remainder boolean,
  annotated boolean,
  no_defects boolean NOT NULL,
  no_jacket_defects boolean NOT NULL,
  -- [{defect, degree, note, photo}], in the order of the table; a photo that the copy has no more is not shown
  defects jsonb NOT NULL CHECK (jsonb_typeof(defects) = 'array'),
  -- Which of binding, language and pages its seller did not say and are those of its edition.
  from_edition text[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT copy_passports_looked CHECK ((grade IS NULL) = (ex_library IS NULL))
);
CREATE TRIGGER copy_passports_tell AFTER INSERT OR UPDATE OR DELETE ON copy_passports
  FOR EACH ROW EXECUTE FUNCTION tell_copy_of_exception();
