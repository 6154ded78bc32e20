-- What a renter who cancels gets back, by the owner's terms when it was held; null for everything. A replica of the version
-- before writes none, and refunds everything, which is more than was agreed and harms no renter.
ALTER TABLE bookings ADD COLUMN cancellation_policy text;
