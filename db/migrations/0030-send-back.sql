-- How a book that its seller asks back is to be sent, at their cost: a label or words, and the address. Owner:
-- server/orders.

ALTER TABLE order_problems ADD COLUMN send_back text;
ALTER TABLE order_problems ADD CONSTRAINT order_problems_send_back CHECK (length(send_back) BETWEEN 1 AND 1000) NOT VALID;
