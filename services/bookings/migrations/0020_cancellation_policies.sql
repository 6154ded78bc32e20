-- The cancellation policy of the owner's terms when the booking was held; null for a full refund. Older replicas write none and refund
-- everything, which harms no renter.
ALTER TABLE bookings ADD COLUMN cancellation_policy text;
