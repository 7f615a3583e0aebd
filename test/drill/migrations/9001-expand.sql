-- A release to come, for npm run drill:migration: a column beside the old one.
ALTER TABLE listings ADD COLUMN drill_shelf text;
