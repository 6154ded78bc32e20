-- Changes of a booking's dates or quantity. A change that costs more is `open` until its hold is paid or ends. Older replicas expire
-- such a hold like any other and refund a payment for it.
CREATE TABLE booking_changes (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL REFERENCES bookings,
  -- Null if nothing is to be paid. An ended change is deleted with its hold.
  hold_id uuid UNIQUE REFERENCES holds ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('open', 'done', 'ended')),
  start_date text NOT NULL,
  start_time text NOT NULL,
  end_date text NOT NULL,
  end_time text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > starts_at),
  quantity integer NOT NULL CHECK (quantity > 0),
  period integer NOT NULL CHECK (period > 0),
  discount_cents integer NOT NULL CHECK (discount_cents >= 0),
  total_cents integer NOT NULL,
  -- The numbers of the units that the booking has after the change.
  units integer[] NOT NULL,
  due_cents integer NOT NULL CHECK (due_cents >= 0),
  refund_cents integer NOT NULL CHECK (refund_cents >= 0),
  kept_cents integer NOT NULL CHECK (kept_cents >= 0),
  -- The percentage that a cancellation would have refunded when the change was requested.
  percent integer NOT NULL CHECK (percent BETWEEN 0 AND 100),
  -- The booking's dates, quantity and price before the change.
  before jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);
CREATE INDEX booking_changes_of_booking ON booking_changes (booking_id);
CREATE UNIQUE INDEX booking_changes_one_at_a_time ON booking_changes (booking_id) WHERE status = 'open';

-- `discounts` are those of the tool when the booking was held; null for existing bookings and those of older replicas. `kept_cents` is
-- what cheaper changes left with the owner. `most_percent` is the largest percentage that a cancellation may still refund.
ALTER TABLE bookings
  ADD COLUMN discounts jsonb,
  ADD COLUMN change_count integer NOT NULL DEFAULT 0,
  ADD COLUMN changed_at timestamptz,
  ADD COLUMN kept_cents integer NOT NULL DEFAULT 0,
  ADD COLUMN most_percent integer NOT NULL DEFAULT 100;
ALTER TABLE holds ADD COLUMN changes_booking_id uuid;

-- Set for units that an open change adds to a booking; null once the change is made.
ALTER TABLE booking_units ADD COLUMN change_id uuid REFERENCES booking_changes;
ALTER TABLE refund_orders ADD COLUMN change_id uuid REFERENCES booking_changes;

-- `change_id` identifies the refund of a change, as `grant_id` does that of an admin.
CREATE OR REPLACE VIEW refunds_owed AS
SELECT payment_id, booking_id, refund_cents, reason, tool_names, ordered_at, coalesce(grant_id, change_id) AS grant_id
FROM refund_orders
UNION ALL
SELECT p.id, NULL, p.rejected_cents, CASE WHEN p.hold_id IS NULL THEN 'unassigned' ELSE 'slot-lost' END,
  ARRAY(SELECT b.name FROM bookings b WHERE b.hold_id = p.hold_id ORDER BY b.id), p.recorded_at, NULL
FROM payments p
WHERE p.rejected_cents > 0
  AND NOT EXISTS (SELECT FROM refund_orders o WHERE o.payment_id = p.id AND o.booking_id IS NULL)
UNION ALL
SELECT d.payment_id, d.booking_id, d.refunded_cents - ordered.cents, 'cancelled', ARRAY[b.name], b.cancelled_at, NULL
FROM draws d JOIN bookings b ON b.id = d.booking_id
CROSS JOIN LATERAL (
  SELECT coalesce(sum(o.refund_cents), 0)::int AS cents FROM refund_orders o
  WHERE o.payment_id = d.payment_id AND o.booking_id = d.booking_id) ordered
WHERE b.status = 'cancelled' AND d.refunded_cents > ordered.cents;
