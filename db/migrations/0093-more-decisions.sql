-- Photos are reported, too; messages are put out of sight, and copies and people deleted. Owner: server/moderation.

ALTER TABLE report_cases
  DROP CONSTRAINT report_cases_kind_check,
  ADD CONSTRAINT report_cases_kind CHECK (kind IN ('copy', 'photo', 'person', 'review', 'message')) NOT VALID,
  DROP CONSTRAINT report_cases_decision_check,
  ADD CONSTRAINT report_cases_decision CHECK (decision IN ('no-fault', 'warn', 'hide', 'suspend', 'delete')) NOT VALID;

-- An admin put it out of sight of both sides; what was written is kept with the decision. Owner: server/messages.
ALTER TABLE messages ADD COLUMN hidden_at timestamptz;
