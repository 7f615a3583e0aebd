-- What a buyer was promised of a copy, beside its title, authors, picture and price: Pay compares it with the copy. Null where an earlier release
-- booked: such a booking is compared by what it has. Owner: server/bookings.
ALTER TABLE bookings ADD COLUMN condition text;
ALTER TABLE bookings ADD COLUMN details text;
