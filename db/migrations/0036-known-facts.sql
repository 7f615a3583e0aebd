-- Whether the years of use and the original price of a copy are known. Where they are not, the columns hold 0 and the resale price (which saves
-- nothing), and neither is told as a fact. Owner: server/catalog.

ALTER TABLE listings
  ADD COLUMN years_known boolean NOT NULL DEFAULT true,
  ADD COLUMN original_known boolean NOT NULL DEFAULT true;
