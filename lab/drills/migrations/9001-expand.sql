-- A release to come, for npm run drill:migration -w lab: a column beside the old one.
ALTER TABLE listings ADD COLUMN drill_shelf text;
