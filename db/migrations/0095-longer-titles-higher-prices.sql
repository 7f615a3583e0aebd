-- Titles to 750 letters and prices to $99,999.99, as the trade's files have them.
ALTER TABLE listings
  DROP CONSTRAINT listings_title_check,
  ADD CONSTRAINT listings_title CHECK (length(title) BETWEEN 1 AND 750) NOT VALID,
  DROP CONSTRAINT listings_original_cents_check,
  ADD CONSTRAINT listings_original_cents CHECK (original_cents BETWEEN 50 AND 9999999) NOT VALID,
  DROP CONSTRAINT listings_resale_cents_check,
  ADD CONSTRAINT listings_resale_cents CHECK (resale_cents BETWEEN 50 AND 9999999) NOT VALID;
ALTER TABLE bookings
  DROP CONSTRAINT bookings_price_cents_check,
  ADD CONSTRAINT bookings_price_cents CHECK (price_cents BETWEEN 50 AND 9999999) NOT VALID;
