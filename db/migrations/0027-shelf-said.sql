-- From here on the column of 0025 and the status say the same. What is there is looked through in 0028, which keeps nobody waiting.
ALTER TABLE listings ADD CONSTRAINT listings_shelf_said
  CHECK (on_shelf = (status IN ('available', 'held')) AND (withdrawn_at IS NOT NULL) = (status = 'withdrawn')) NOT VALID;
