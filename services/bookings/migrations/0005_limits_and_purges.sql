-- outside a transaction: builds indexes without blocking writes, for the limits on unpaid holds and for the purges.
DROP INDEX CONCURRENTLY IF EXISTS holds_unpaid_of_user;
CREATE INDEX CONCURRENTLY holds_unpaid_of_user ON holds (user_id, created_at) WHERE status <> 'paid';
DROP INDEX CONCURRENTLY IF EXISTS holds_ended;
CREATE INDEX CONCURRENTLY holds_ended ON holds (expires_at) WHERE status = 'ended';
DROP INDEX CONCURRENTLY IF EXISTS tools_removed;
CREATE INDEX CONCURRENTLY tools_removed ON tools (removed_at) WHERE removed_at IS NOT NULL;
-- For the foreign key checks when a tool and its units are deleted.
DROP INDEX CONCURRENTLY IF EXISTS bookings_of_tool;
CREATE INDEX CONCURRENTLY bookings_of_tool ON bookings (tool_id);
DROP INDEX CONCURRENTLY IF EXISTS booking_units_of_unit;
CREATE INDEX CONCURRENTLY booking_units_of_unit ON booking_units (unit_id);
DROP INDEX CONCURRENTLY IF EXISTS refund_orders_of_booking;
CREATE INDEX CONCURRENTLY refund_orders_of_booking ON refund_orders (booking_id) WHERE booking_id IS NOT NULL;
