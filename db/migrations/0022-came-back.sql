-- Why a parcel came back, and that a bank only asks.

-- Said by its seller; null for what came back before they were asked.
ALTER TABLE orders ADD COLUMN came_back text;
ALTER TABLE orders ADD CONSTRAINT orders_came_back CHECK (came_back IN ('wrong-address', 'unclaimed', 'other')) NOT VALID;

-- An inquiry has taken no money: it has no shares and no postings until it becomes a chargeback.
ALTER TABLE disputes ADD COLUMN is_inquiry boolean NOT NULL DEFAULT false;
