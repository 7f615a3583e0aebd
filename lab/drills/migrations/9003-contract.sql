-- One release later what nobody reads any more goes.
ALTER TABLE listings DROP COLUMN drill_shelf;
