-- What people report, and what admins decide about it. Owner: server/moderation.

-- All that is reported of one thing until it is decided is one case.
CREATE TABLE report_cases (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind text NOT NULL CHECK (kind IN ('copy', 'person', 'review', 'message')),
  -- of the copy, user, review or message
  subject_id uuid NOT NULL,
  -- whose it is
  user_id uuid NOT NULL REFERENCES users,
  -- the thing as it was when it was first reported
  title text NOT NULL CHECK (length(title) <= 800),
  evidence text NOT NULL CHECK (length(evidence) <= 8000),
  opened_at timestamptz NOT NULL DEFAULT shop_now(),
  decided_at timestamptz,
  decision text CHECK (decision IN ('no-fault', 'warn', 'hide', 'suspend')),
  decided_by uuid REFERENCES users,
  -- what whoever it is about is told
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  appeal text NOT NULL DEFAULT '' CHECK (length(appeal) <= 2000),
  appealed_at timestamptz,
  appeal_decided_at timestamptz,
  -- whether the decision stays as it is
  appeal_upheld boolean,
  CHECK ((decided_at IS NULL) = (decision IS NULL)),
  CHECK ((appealed_at IS NULL) = (appeal = '')),
  CHECK ((appeal_decided_at IS NULL) = (appeal_upheld IS NULL))
);
CREATE UNIQUE INDEX report_cases_open ON report_cases (kind, subject_id) WHERE decided_at IS NULL;
CREATE INDEX report_cases_queue ON report_cases (opened_at, id) WHERE decided_at IS NULL;
CREATE INDEX report_cases_appeals ON report_cases (appealed_at, id) WHERE appealed_at IS NOT NULL AND appeal_decided_at IS NULL;
CREATE INDEX report_cases_decided ON report_cases (decided_at DESC, id DESC) WHERE decided_at IS NOT NULL;
CREATE INDEX report_cases_user ON report_cases (user_id, decided_at DESC);

CREATE TABLE reports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  case_id uuid NOT NULL REFERENCES report_cases,
  -- null for visitors, and once they have left
  reporter_id uuid REFERENCES users,
  reason text NOT NULL,
  words text NOT NULL DEFAULT '' CHECK (length(words) <= 1000),
  at timestamptz NOT NULL DEFAULT shop_now()
);
CREATE INDEX reports_case ON reports (case_id, at, id);
CREATE UNIQUE INDEX reports_once ON reports (case_id, reporter_id) WHERE reporter_id IS NOT NULL;
CREATE INDEX reports_reporter ON reports (reporter_id, at DESC) WHERE reporter_id IS NOT NULL;
